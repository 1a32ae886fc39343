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
            cell[k] = static_cast<int>(min(floor(plain<T>(at)), static_cast<T>(n[k] - 2)));
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
            case shape::box: return sdf::Box<T>{size}(p);
        }
        switch (m.geom_sdf[geom]) {
            case sdf_kind::mesh: return GridField<M>{m, m.geom_dataid[geom]}(p);
            case sdf_kind::sphere: return sdf::Sphere<T>{param(0)}(p);
            case sdf_kind::box: return sdf::Box<T>{{{param(0), param(1), param(2)}}}(p);
            case sdf_kind::capsule: return sdf::Capsule<T>{param(0), param(1)}(p);
            case sdf_kind::torus: return sdf::Torus<T>{param(0), param(1)}(p);
            case sdf_kind::gear: return sdf::Gear<T>{param(0), param(1), param(2), param(3), param(4)}(p);
            case sdf_kind::bowl: return sdf::Bowl<T>{param(0), param(1), param(2)}(p);
        }
        if constexpr (requires { m.sdf_distance(geom, p); }) return m.sdf_distance(geom, p);
        return S(1e10);  // a model without sdf_distance has no such geom that touches anything
    }
};

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

// Faces of the mesh geom g1 against the field of g2.
template <class T, class M, class L>
ConvexContacts<T, max_points> mesh_sdf_contacts(const M& m, int g1, int g2, const OwnShape<L>& s1, const OwnShape<L>& s2) {
    ConvexContacts<T, max_points> out;
    const GeomField<M, T> field{m, g2, plain_vec<T>(s2.size)};
    const Vec3<T> pos2 = plain_vec<T>(s2.pos);
    const Mat3<T> mat2 = plain_mat<T>(s2.mat), mat = transpose(mat2) * plain_mat<T>(s1.mat);
    const Vec3<T> pos = transpose_mul(mat2, Vec3<T>(plain_vec<T>(s1.pos) - pos2));
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
            for (int k = 0; k < 3; ++k)
                v[k] = mat * plain_vec<T>(m.mesh_vert[m.mesh_vertadr[mesh] + m.mesh_face[m.mesh_faceadr[mesh] + f][k]]) + pos;
            for (int start = 0; start < starts && out.count < out.capacity; ++start) {
                T dist, length;
                if (!triangle_in_field(field, v, start, m.opt.sdf_iterations, x, dist)) continue;
                sdf_gradient(field, x, gradient);
                const Vec3<T> normal = mat2 * -normalize(gradient, length);
                const Vec3<T> at = mat2 * x + pos2 - normal * (T(0.5) * dist);
                bool known = !(length >= T(minval_v<T>));
                for (int k = 0; k < out.count && !known; ++k) known = norm(Vec3<T>(out.point[k].pos - at)) < T(minval_v<T>);
                if (!known) out.point[out.count++] = {dist, at, normal, 2};
            }
        }
        ++i;
    }
    return out;
}

// g2 is an sdf geom.
template <class M, class S, int K>
void sdf_collide(const M& m, int g1, int g2, const Shape<S>& s1, const Shape<S>& s2, const S& margin, const mask_t<S>& mask,
                 CollisionResult<S, K>& out) {
    using T = value_t<S>;
    const int type1 = m.geom_type[g1];
    if (type1 == shape::hfield) return;
    if (type1 == shape::plane && m.geom_sdf[g2] == sdf_kind::mesh) return plane_mesh(m, g2, s1, s2, margin, mask, out);
    collide_lanes(m, g1, g2, s1, s2, margin, mask, out, [&](const auto& a, const auto& b, T) {
        if (type1 == shape::mesh) return mesh_sdf_contacts<T>(m, g1, g2, a, b);
        ConvexContacts<T, max_points> found;
        const GeomField<M, T> first{m, g1, plain_vec<T>(a.size)}, second{m, g2, plain_vec<T>(b.size)};
        Vec6<T> box1, box2;
        for (int i = 0; i < 6; ++i) {
            box1[i] = plain<T>(m.geom_aabb[g1][i]);
            box2[i] = plain<T>(m.geom_aabb[g2][i]);
        }
        sdf_contacts(first, plain_vec<T>(a.pos), plain_mat<T>(a.mat), box1, second, plain_vec<T>(b.pos), plain_mat<T>(b.mat), box2,
                     m.opt.sdf_initpoints, m.opt.sdf_iterations, found);
        return found;
    });
}

// x counts in lengths of vec, which sphere tracing finds for a unit vector. Derivatives follow the surface's tangent plane.
template <class M, class S>
ShapeHit<S> ray_sdf(const M& m, int geom, const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    using L = lane_t<S>;
    using T = value_t<S>;
    ShapeHit<S> out;
    const auto near = ray_box(s, pnt, vec).x >= S(0);
    for_each_lane(near, lanes_v<S>, [&](int k) {
        const OwnShape<L> own = lane(s, k);
        const LocalRay<L> ray(own.view(), lane(pnt, k), lane(vec, k));
        const GeomField<M, T> field{m, geom, plain_vec<T>(own.size)};
        T length;
        const Vec3<T> start = plain_vec<T>(ray.pnt), dir = normalize(plain_vec<T>(ray.vec), length);
        const T x = trace_sdf(field, start, dir);
        if (x < T(0) || !(length > T(minval_v<T>))) return;
        PlaneHit<T> hit;
        hit.x = x / length;
        hit.point = start + dir * x;
        sdf_gradient(field, hit.point, hit.normal);
        insert_hit(out, k, carried_hit(hit, ray, own));
    });
    return out;
}

}  // namespace mjx
