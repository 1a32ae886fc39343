// Geoms of type sdf against every other type: the fields of the model behind one type, and the search for contacts.
//
//   plane                    a mesh's vertices (plane_mesh.hpp); a field by formula is searched like the others
//   primitives, sdf          a search for the deepest points of both fields (sdf_search.hpp), for fields that MuJoCo has by its descent
//   mesh                     Frank-Wolfe on each triangle near the surface (mjc_MeshSDF)
//   hfield                   nothing, as in MuJoCo
// A user's field is a member of the model type: template <class S> S sdf_distance(int geom, const Vec3<S>& p) const; p is in the
// frame of the geom. Lane by lane on plain numbers; contacts are penetrations only, whatever the margin. Most programs that compile
// this have no field, so its functions are [[gnu::cold]], compiled for size, but for those that the search spends its time in.
#pragma once

#include "mjx/collision/by_support.hpp"
#include "mjx/collision/ray_mesh.hpp"
#include "mjx/collision/sdf_moving.hpp"

namespace mjx::inner {

// Trilinear interpolation on a mesh's voxel grid; outside, the value at the border plus the distance to it.
template <class M>
struct GridField {
    const M& m;
    int mesh;

    template <class T>
    T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        const auto& n = m.mesh_gridnum[mesh];
        Vec3<T> weight[2], outside, step, way;
        bool in[3];
        int cell[3];
        for (int k = 0; k < 3; ++k) {
            const T low = plain<T>(m.mesh_gridbox[mesh][k]);
            step[k] = plain<T>(m.mesh_gridbox[mesh][3 + k]);
            const T at = (p[k] - low) / step[k], within = clamp(at, T(0), static_cast<T>(n[k] - 1));
            cell[k] = grid_index(static_cast<value_t<T>>(value_of(within)), n[k] - 2);
            in[k] = at == within;
            outside[k] = in[k] ? T(0) : p[k] - (low + within * step[k]);
            weight[1][k] = within - static_cast<T>(cell[k]);
            weight[0][k] = T(1) - weight[1][k];
        }
        T value = sdf::length_and_way(outside, &way), node[8];
        const int corner = m.mesh_gridadr[mesh] + cell[0] + n[0] * (cell[1] + n[1] * cell[2]);
        for (int c = 0; c < 8; ++c) {
            const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
            node[c] = static_cast<T>(m.mesh_grid[corner + x + n[0] * (y + n[1] * z)]);
            value += weight[x][0] * weight[y][1] * weight[z][2] * node[c];
        }
        if (!gradient) return value;
        Vec3<T> slope[2], sum = Vec3<T>::zero();
        for (int k = 0; k < 3; ++k) {
            slope[1][k] = in[k] ? T(1) / step[k] : T(0);
            slope[0][k] = -slope[1][k];
        }
        for (int c = 0; c < 8; ++c) {
            const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
            const T wx = weight[x][0], wy = weight[y][1], wz = weight[z][2];
            sum += Vec3<T>{{slope[x][0] * wy * wz, wx * slope[y][1] * wz, wx * wy * slope[z][2]}} * node[c];
        }
        *gradient = way + sum;
        return value;
    }
    template <class S>
    S operator()(const Vec3<S>& p) const {
        return distance(p, static_cast<Vec3<S>*>(nullptr));
    }
};

// The field of any geom but meshes and height fields.
template <class M, class T>
struct GeomField {
    const M& m;
    int geom, kind = sdf_kind::none;
    Vec3<T> size;
    Vec6<T> param{};
    bool exact = false;  // gradients are those of the values, as they are not where MuJoCo's descent needs others

    GeomField(const M& model, int g, const Vec3<T>& s) : m(model), geom(g), size(s) {
        if (!is_field(m.geom_type[g])) return;
        kind = m.geom_sdf[g];
        for (int i = 0; i < 6; ++i) param[i] = plain<T>(m.geom_sdfparam[g][i]);
    }
    T distance(const Vec3<T>& p, Vec3<T>* gradient) const {
        if (kind == sdf_kind::none) return of_shape(p, gradient);
        if (kind == sdf_kind::mesh) return GridField<M>{m, m.geom_dataid[geom]}.distance(p, gradient);
        if constexpr (requires { m.sdf_distance(geom, p); }) {
            const auto field = [this](const auto& q) { return m.sdf_distance(geom, q); };
            if (kind == sdf_kind::user) return sdf_value(field, p, gradient);
        }
        return formula_field(kind, param, p, gradient);  // far away if the model has no sdf_distance
    }
    T operator()(const Vec3<T>& p) const { return distance(p, nullptr); }

  private:
    // A geom that is no field: what its shape says.
    T of_shape(const Vec3<T>& p, Vec3<T>* gradient) const {
        T value = T(1e10);
        if (gradient) *gradient = Vec3<T>::zero();
        shapes_of<M>::visit(m.geom_type[geom], [&](auto shape) {
            if constexpr (requires { shape.distance(size, exact, p, gradient); })
                value = shape.distance(size, exact, p, gradient);
            else if constexpr (shape.by_support)
                value = field_by_support<decltype(shape)>(m, size, p, gradient);
        });
        return value;
    }
};

// Is a triangle worth a search? The field at its centroid must be less than its circumradius; where the field is large, the field at
// the centre of a sphere through the corners and a point above the centroid less than that sphere's radius (MuJoCo's rule).
template <class T, class F>
[[gnu::cold]] bool triangle_near_field(const F& field, const Vec3<T> (&v)[3]) {
    const Vec3<T> ab = v[1] - v[0], ac = v[2] - v[0], n = cross(ab, ac), centroid = (v[0] + v[1] + v[2]) * (T(1) / T(3));
    const T square = dot(n, n), value = field(centroid), lift = value * T(0.1);
    if (!(square > T(minval_v<T>) * T(minval_v<T>))) return true;
    const Vec3<T> to_centre = (cross(n, ab) * dot(ac, ac) + cross(ac, n) * dot(ab, ab)) * (T(0.5) / square);
    const T radius2 = dot(to_centre, to_centre);
    if (!(abs(lift) >= T(0.1))) return value < sqrt(radius2);
    const Vec3<T> unit = n * (T(1) / sqrt(square)), from_centre = centroid + unit * lift - v[0] - to_centre;
    const T shift = (dot(from_centre, from_centre) - radius2) / (T(2) * lift);
    return field(Vec3<T>(v[0] + to_centre + unit * shift)) < sqrt(radius2 + shift * shift);
}

// Descends the field over one triangle (Frank and Wolfe); the value reached. Corners and x in the field's frame.
template <class T, class F>
[[gnu::cold]] T triangle_in_field(const F& field, const Vec3<T> (&v)[3], int start, int iterations, Vec3<T>& x) {
    T a = halton<T>(start + 1, 2), b = halton<T>(start + 1, 3);
    if (a + b > T(1)) {
        a = T(1) - a;
        b = T(1) - b;
    }
    x = v[0] * (T(1) - a - b) + v[1] * a + v[2] * b;
    for (int step = 0; step < iterations; ++step) {
        Vec3<T> gradient;
        sdf_value(field, x, &gradient);
        int best = 0;
        for (int k = 1; k < 3; ++k)
            if (dot(v[k], gradient) < dot(v[best], gradient)) best = k;
        x += (v[best] - x) * (T(2) / (T(step) + T(2)));
    }
    return field(x);
}

// Faces of the mesh geom g1 against the field of g2. MuJoCo stops after 50 starts that end inside, most of them at points it has
// already, and so depends on the order of its tree; here 50 different contacts are kept.
template <class T, class M>
[[gnu::cold]] void mesh_sdf_contacts(const M& m, int g1, int g2, const Geom<T>& s1, const Geom<T>& s2, CollisionResult<T>& contacts) {
    SdfPoints<T> out;
    const GeomField<M, T> field(m, g2, s2.size);
    const Mat3<T> mat = transpose(s2.mat) * s1.mat;
    const Vec3<T> pos = s2.local(s1.pos);
    const int mesh = m.geom_dataid[g1], first = m.mesh_bvhadr[mesh], starts = m.opt.sdf_initpoints > 1 ? m.opt.sdf_initpoints : 1;
    // the box between two corners in the frame of the mesh
    const auto box_near_field = [&](const Vec3<T>& low, const Vec3<T>& high) {
        return field(Vec3<T>(mat * Vec3<T>((low + high) * T(0.5)) + pos)) < norm(Vec3<T>((high - low) * T(0.5)));
    };
    for (int i = 0; i < m.mesh_bvhnum[mesh] && !out.full();) {
        const auto& node = m.mesh_bvhnode[first + i];
        Vec3<T> low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = static_cast<T>(m.mesh_bvhbox[first + i][k]);
            high[k] = static_cast<T>(m.mesh_bvhbox[first + i][3 + k]);
        }
        if (!box_near_field(low, high)) {
            i = node[0];
            continue;
        }
        for (int f = node[1]; f < node[1] + node[2]; ++f) {
            Vec3<T> v[3], x;
            face_corners(m, mesh, f, v);
            for (int j = 0; j < 3; ++j) {
                low[j] = min(min(v[0][j], v[1][j]), v[2][j]);
                high[j] = max(max(v[0][j], v[1][j]), v[2][j]);
            }
            if (!box_near_field(low, high)) continue;
            for (Vec3<T>& corner : v) corner = mat * corner + pos;
            if (!triangle_near_field(field, v)) continue;
            for (int start = 0; start < starts && !out.full(); ++start) {
                const T dist = triangle_in_field(field, v, start, m.opt.sdf_iterations, x);
                out.take(x, dist, T(minval_v<T>));
            }
        }
        ++i;
    }
    for (int k = 0; k < out.count; ++k) {
        Vec3<T> gradient;
        sdf_value(field, out.point[k], &gradient);
        out.make_contact(k, gradient, s2, contacts);
    }
}

// Searches the fields of g1 and g2, one of which may be ours, and makes contacts of what it finds. Our search runs on plain numbers.
template <class T, class M>
[[gnu::cold]] void sdf_field_contacts(const M& m, int g1, int g2, const Geom<T>& a, const Geom<T>& b, CollisionResult<T>& out) {
    const bool ours = !mujoco_field(m.geom_sdf[g2]) || (is_field(m.geom_type[g1]) && !mujoco_field(m.geom_sdf[g1]));
    GeomField<M, T> first(m, g1, a.size);
    const GeomField<M, T> second(m, g2, b.size);
    first.exact = ours;
    const SdfPair pair(first, a, second, b);
    SdfPoints<T> points;
    const auto search = [&]<class R>(const auto& fields, SdfPoints<R>& found) {
        Vec6<R> box1, box2;
        for (int i = 0; i < 6; ++i) {
            box1[i] = plain<R>(m.geom_aabb[g1][i]);
            box2[i] = plain<R>(m.geom_aabb[g2][i]);
        }
        return sdf_points(fields, box1, box2, ours, m.opt.sdf_initpoints, m.opt.sdf_iterations, found);
    };
    if constexpr (std::is_floating_point_v<T>) {
        search(pair, points);
    } else if (!ours) {
        search(pair, points);
    } else {
        using R = value_t<T>;
        const auto still_shape = [](const Geom<T>& s) {
            return OwnGeom<R>{plain_vec<R>(s.pos), plain_mat<R>(s.mat), plain_vec<R>(s.size)};
        };
        const OwnGeom<R> still_a = still_shape(a), still_b = still_shape(b);
        GeomField<M, R> still_first(m, g1, still_a.size);
        const GeomField<M, R> still_second(m, g2, still_b.size);
        still_first.exact = true;
        const SdfPair still(still_first, still_a.view(), still_second, still_b.view());
        SdfPoints<R> found;
        const R size = search(still, found);
        for (; points.count < found.count; ++points.count) {
            const int k = points.count;
            points.dist[k] = moving_minimum(pair, still, found.point[k], found.dist[k], size, points.point[k]);
        }
    }
    sdf_contacts(pair, points, ours, b, out);
}

// g2 is an sdf geom.
template <class M, class S>
[[gnu::cold]] void sdf_collide(const M& m, int g1, int g2, const Geom<S>& s1, const Geom<S>& s2, const S& margin, const mask_t<S>& mask,
                               CollisionResult<S>& out) {
    using T = contact_t<lane_t<S>, value_t<S>>;
    const int type1 = m.geom_type[g1];
    if (is_of_hfield(type1)) return;
    collide_by_lane<T>(s1, s2, margin, mask, out, [&](const Geom<T>& a, const Geom<T>& b, const T&, CollisionResult<T>& contacts) {
        if (is_hull(type1))
            mesh_sdf_contacts(m, g1, g2, a, b, contacts);
        else
            sdf_field_contacts(m, g1, g2, a, b, contacts);
    });
}

// A ray in the frame of the geom. x counts in lengths of vec, as for every other geom; sphere tracing finds it for a unit vector. (MuJoCo
// leaves it at that.)
template <class M, class T>
[[gnu::cold]] PlaneHit<T> ray_field(const M& m, int geom, const Vec3<T>& size, const Vec3<T>& pnt, const Vec3<T>& vec) {
    const GeomField<M, T> field(m, geom, size);
    PlaneHit<T> hit;
    T length;
    const Vec3<T> dir = normalize(vec, length);
    const T x = trace_sdf(field, pnt, dir);
    if (x < T(0) || !(length > T(minval_v<T>))) return hit;
    hit.x = x / length;
    hit.point = pnt + dir * x;
    sdf_value(field, hit.point, &hit.normal);
    return hit;
}

}  // namespace mjx::inner
