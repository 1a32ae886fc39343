// Geoms of type sdf against every other type: the fields of the model behind one type, and the search for contacts.
//
//   plane                    a mesh's vertices; a field by formula is searched like the others
//   primitives, sdf          gradient descent in both fields (sdf_search.hpp)
//   mesh                     Frank-Wolfe on each triangle near the surface (mjc_MeshSDF)
//   hfield                   nothing, as in MuJoCo
// A user's field is a member of the model type: template <class S> S sdf_distance(int geom, const Vec3<S>& p) const; p is in the
// frame of the geom. Lane by lane on plain numbers; contacts are penetrations only, whatever the margin.
#pragma once

#include "mjx/collision/plane_mesh.hpp"
#include "mjx/collision/ray_mesh.hpp"
#include "mjx/collision/sdf_search.hpp"

namespace mjx {

// Trilinear interpolation on a mesh's voxel grid; outside, the value at the border plus the distance to it.
template <class M>
struct GridField {
    const M& m;
    int mesh;

    template <class S>
    S operator()(const Vec3<S>& p) const {
        using T = value_t<S>;
        const auto& n = m.mesh_gridnum[mesh];
        Vec3<S> within, outside;
        int cell[3];
        for (int k = 0; k < 3; ++k) {
            const T low = plain<T>(m.mesh_gridbox[mesh][k]), step = plain<T>(m.mesh_gridbox[mesh][3 + k]);
            const S at = clamp(S((p[k] - low) / step), S(0), S(static_cast<T>(n[k] - 1)));
            cell[k] = grid_index(plain<T>(at), n[k] - 2);
            within[k] = at - static_cast<T>(cell[k]);
            outside[k] = p[k] - (low + at * step);
        }
        const auto value = [&](int x, int y, int z) { return static_cast<T>(m.mesh_grid[m.mesh_gridadr[mesh] + x + n[0] * (y + n[1] * z)]); };
        S sum = S(0);
        for (int c = 0; c < 8; ++c) {
            const int dx = c & 1, dy = c >> 1 & 1, dz = c >> 2;
            sum += (dx ? within[0] : T(1) - within[0]) * (dy ? within[1] : T(1) - within[1]) * (dz ? within[2] : T(1) - within[2]) *
                   value(cell[0] + dx, cell[1] + dy, cell[2] + dz);
        }
        return sum + norm(outside);
    }
};

// The field of any geom but meshes and height fields.
template <class M, class T>
struct GeomField {
    const M& m;
    int geom;
    Vec3<T> size;

    template <class S>
    S operator()(const Vec3<S>& p) const {
        const auto param = [&](int i) { return plain<T>(m.geom_sdfparam[geom][i]); };
        switch (m.geom_type[geom]) {
            case shape::plane: return sdf::Plane{}(p);
            case shape::sphere: return sdf::Sphere<T>{size[0]}(p);
            case shape::capsule: return sdf::Capsule<T>{size[0], size[1]}(p);
            case shape::ellipsoid: return sdf::Ellipsoid<T>{size}(p);
            case shape::cylinder: return sdf::Cylinder<T>{size[0], size[1]}(p);
            case shape::box: return sdf::SolidBox<T>{size}(p);
        }
        if (m.geom_sdf[geom] == sdf_kind::mesh) return GridField<M>{m, m.geom_dataid[geom]}(p);
        if constexpr (requires { m.sdf_distance(geom, p); }) {
            if (m.geom_sdf[geom] == sdf_kind::user) return m.sdf_distance(geom, p);
        }
        return formula_field<T>(m.geom_sdf[geom], param, p);  // far away if the model has no sdf_distance
    }
    T gradient(const Vec3<T>& p, Vec3<T>& g) const {
        if (m.geom_type[geom] == shape::box) return sdf::SolidBox<T>{size}.gradient(p, g);
        if (m.geom_type[geom] == shape::ellipsoid) return sdf::Ellipsoid<T>{size}.gradient(p, g);
        return dual_gradient([this](const auto& q) { return (*this)(q); }, p, g);
    }
};

// Is a triangle worth a search? The field at its centroid must be less than its circumradius; where the field is large, the field at
// the centre of a sphere through the corners and a point above the centroid less than that sphere's radius (MuJoCo's rule).
template <class T, class F>
bool triangle_near_field(const F& field, const Vec3<T> (&v)[3]) {
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

// The same for the box around a triangle in the frame of its mesh, which mat and pos take to that of the field.
template <class T, class F>
bool triangle_box_near_field(const F& field, const Vec3<T> (&v)[3], const Mat3<T>& mat, const Vec3<T>& pos) {
    Vec3<T> centre, half;
    for (int k = 0; k < 3; ++k) {
        const T low = min(v[0][k], min(v[1][k], v[2][k])), high = max(v[0][k], max(v[1][k], v[2][k]));
        centre[k] = (low + high) * T(0.5);
        half[k] = (high - low) * T(0.5);
    }
    return field(Vec3<T>(mat * centre + pos)) < norm(half);
}

// Descends the field over one triangle; true if it dips below the surface. Corners and x in the field's frame.
template <class T, class F>
bool triangle_in_field(const F& field, const Vec3<T> (&v)[3], int start, int iterations, Vec3<T>& x, T& dist) {
    T a = halton<T>(start + 1, 2), b = halton<T>(start + 1, 3);
    if (a + b > T(1)) {
        a = T(1) - a;
        b = T(1) - b;
    }
    x = v[0] * (T(1) - a - b) + v[1] * a + v[2] * b;
    for (int step = 0; step < iterations; ++step) {
        Vec3<T> gradient;
        sdf_gradient(field, x, gradient);
        int best = 0;
        for (int k = 1; k < 3; ++k)
            if (dot(v[k], gradient) < dot(v[best], gradient)) best = k;
        x += (v[best] - x) * (T(2) / (T(step) + T(2)));
    }
    dist = field(x);
    return dist < T(0);
}

// Faces of the mesh geom g1 against the field of g2. MuJoCo stops after 50 starts that end inside, most of them at points it has
// already, and so depends on the order of its tree; here 50 different contacts are kept.
template <class T, class M>
void mesh_sdf_contacts(const M& m, int g1, int g2, const OwnShape<T>& s1, const OwnShape<T>& s2, ConvexContacts<T>& out) {
    const GeomField<M, T> field{m, g2, s2.size};
    const Vec3<T> pos2 = s2.pos;
    const Mat3<T> mat2 = s2.mat, mat = transpose(mat2) * s1.mat;
    const Vec3<T> pos = transpose_mul(mat2, Vec3<T>(s1.pos - pos2));
    const int mesh = m.geom_dataid[g1], first = m.mesh_bvhadr[mesh], starts = m.opt.sdf_initpoints > 1 ? m.opt.sdf_initpoints : 1;
    for (int i = 0; i < m.mesh_bvhnum[mesh] && out.count < out.capacity;) {
        const auto& node = m.mesh_bvhnode[first + i];
        const auto& box = m.mesh_bvhbox[first + i];
        Vec3<T> centre, half;
        for (int k = 0; k < 3; ++k) {
            centre[k] = (static_cast<T>(box[k]) + static_cast<T>(box[3 + k])) / 2;
            half[k] = (static_cast<T>(box[3 + k]) - static_cast<T>(box[k])) / 2;
        }
        if (!(field(Vec3<T>(mat * centre + pos)) < norm(half))) {
            i = node[0];
            continue;
        }
        for (int f = node[1]; f < node[1] + node[2]; ++f) {
            Vec3<T> v[3], x, gradient;
            for (int k = 0; k < 3; ++k) v[k] = plain_vec<T>(m.mesh_vert[m.mesh_vertadr[mesh] + m.mesh_face[m.mesh_faceadr[mesh] + f][k]]);
            if (!triangle_box_near_field(field, v, mat, pos)) continue;
            for (Vec3<T>& corner : v) corner = mat * corner + pos;
            if (!triangle_near_field(field, v)) continue;
            for (int start = 0; start < starts && out.count < out.capacity; ++start) {
                T dist, length;
                if (!triangle_in_field(field, v, start, m.opt.sdf_iterations, x, dist)) continue;
                sdf_gradient(field, x, gradient);
                const Vec3<T> normal = mat2 * -normalize(gradient, length);
                const Vec3<T> at = mat2 * x + pos2 - normal * (T(0.5) * dist);
                bool known = !(length >= T(minval_v<T>));
                for (int k = 0; k < out.count && !known; ++k) known = norm(Vec3<T>(out.point[k].pos - at)) < T(minval_v<T>);
                if (!known) out.point[out.count++] = {dist, at, normal};
            }
        }
        ++i;
    }
}

// g2 is an sdf geom.
template <class M, class S, int K>
void sdf_collide(const M& m, int g1, int g2, const Shape<S>& s1, const Shape<S>& s2, const S& margin, const mask_t<S>& mask,
                 CollisionResult<S, K>& out) {
    using T = contact_t<lane_t<S>, value_t<S>>;
    const int type1 = m.geom_type[g1];
    if (type1 == shape::hfield) return;
    if (type1 == shape::plane && m.geom_dataid[g2] >= 0) return plane_mesh(m, g2, s1, s2, margin, mask, out);
    collide_lanes<value_t<S>>(s1, s2, margin, mask, out, [&](const OwnShape<T>& a, const OwnShape<T>& b, value_t<S>, auto& found) {
        if (type1 == shape::mesh) return mesh_sdf_contacts(m, g1, g2, a, b, found);
        const GeomField<M, T> first{m, g1, a.size}, second{m, g2, b.size};
        Vec6<T> box1, box2;
        for (int i = 0; i < 6; ++i) {
            box1[i] = plain<T>(m.geom_aabb[g1][i]);
            box2[i] = plain<T>(m.geom_aabb[g2][i]);
        }
        sdf_contacts(first, a.pos, a.mat, box1, second, b.pos, b.mat, box2, m.opt.sdf_initpoints, m.opt.sdf_iterations, found);
    });
}

// x counts in lengths of vec, as for every other geom; sphere tracing finds it for a unit vector. (MuJoCo leaves it at that.)
// Derivatives follow the surface's tangent plane.
template <class M, class S>
ShapeHit<S> ray_sdf(const M& m, int geom, const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    using T = value_t<S>;
    ShapeHit<S> out;
    ray_by_lane(s, pnt, vec, ray_box(s, pnt, vec).x >= S(0), out, [&](int, const auto& own, const auto& ray) {
        const GeomField<M, T> field{m, geom, plain_vec<T>(own.size)};
        T length;
        const Vec3<T> start = plain_vec<T>(ray.pnt), dir = normalize(plain_vec<T>(ray.vec), length);
        const T x = trace_sdf(field, start, dir);
        PlaneHit<T> hit;
        if (x < T(0) || !(length > T(minval_v<T>))) return hit;
        hit.x = x / length;
        hit.point = start + dir * x;
        sdf_gradient(field, hit.point, hit.normal);
        return hit;
    });
    return out;
}

}  // namespace mjx
