// A triangle mesh as it is, not its hull, against a convex geom: for static environments such as buildings and scanned terrain.
//
// A mesh geom is one when its trimesh flag is set. Each triangle whose box is near the geom becomes a prism below its outer side,
// as deep as the geom is large, and gives at most one contact; 50 in all. Triangles are one-sided: a geom that is behind all of
// them is not pushed out. A prism's own walls are no surface, so contacts whose normal is more than 75 degrees off the triangle's
// are dropped; those at sharper ridges than that too. A contact on the edge of a triangle is dropped where another triangle that
// holds this edge is touched on its face, and counts once where both are touched on the edge: sliding from triangle to triangle
// meets no bumps. Two triangle meshes, or one and a height field, collide by the hull of the second mesh; a plane meets the
// vertices anyway.
#pragma once

#include "mjx/collision/convex_pair.hpp"

namespace mjx::inner {

// A frame whose z axis is the outer normal of a triangle and whose origin is its first corner. False for a triangle without area.
template <class T>
bool triangle_frame(const Vec3<T> (&v)[3], Mat3<T>& frame) {
    T area, side;
    const Vec3<T> x = normalize(Vec3<T>(v[1] - v[0]), side), z = normalize(cross(Vec3<T>(v[1] - v[0]), Vec3<T>(v[2] - v[0])), area);
    frame.set_column(0, x);
    frame.set_column(1, cross(z, x));
    frame.set_column(2, z);
    return area > T(minval_v<T>) && side > T(minval_v<T>);
}

// Does the box around a triangle meet another?
template <class T>
bool box_meets(const Vec3<T> (&v)[3], const Vec3<T>& low, const Vec3<T>& high) {
    bool meets = true;
    for (int k = 0; k < 3; ++k)
        meets = meets && min(v[0][k], min(v[1][k], v[2][k])) <= high[k] && max(v[0][k], max(v[1][k], v[2][k])) >= low[k];
    return meets;
}

// One triangle, in the mesh frame like the shape `s` of `body`. The contact comes out in the mesh frame, its normal from triangle to
// body.
template <class T, class M, class C>
[[gnu::cold]] bool collide_triangle(const M& m, const Vec3<T> (&v)[3], ConvexObject<T>& body, const Geom<C>& s, T depth, T margin,
                                    CollisionResult<C>& out) {
    Mat3<T> frame;
    if (!triangle_frame(v, frame)) return false;
    ConvexObject<T> prism;
    prism.type = Hfield::type;
    prism.margin = margin;
    for (int i = 0; i < 3; ++i) {
        prism.prism[3 + i] = transpose_mul(frame, Vec3<T>(v[i] - v[0]));
        prism.prism[3 + i][2] = T(0);
        prism.prism[i] = prism.prism[3 + i];
        prism.prism[i][2] = -depth;
    }
    using V = value_t<C>;
    const Vec3<V> origin = plain_vec<V>(v[0]);
    const Mat3<V> turn = plain_mat<V>(frame);
    const OwnGeom<C> in_triangle = in_frame(s, origin, turn);
    const Geom<C> moving = in_triangle.view();
    body.pos = plain_vec<T>(moving.pos);
    body.mat = plain_mat<T>(moving.mat);
    if (!(body.pos[2] >= -depth) || add_penetration(m, prism, body, s, moving, 1, margin, out) == 0) return false;
    auto& p = out.point[out.count - 1];
    if (p.normal[2] < V(0.25)) {
        --out.count;
        return false;
    }
    p.pos = turn * p.pos + origin;
    p.normal = turn * p.normal;
    return true;
}

// Removes contacts on edges that belong to another triangle's face, and repetitions. `face` are the triangles' normals.
template <class C, class T>
[[gnu::cold]] void drop_inner_edges(CollisionResult<C>& c, const Vec3<T> (&face)[max_points], T size) {
    const T flat = T(1) - T(1e-6), near = T(1e-4) * size;
    bool keep[max_points];
    for (int i = 0; i < c.count; ++i) {
        keep[i] = true;
        if (dot(c.point[i].normal, face[i]) > flat) continue;
        const auto& p = c.point[i];
        const Vec3<C> on_edge = p.pos - p.normal * (p.dist * T(0.5));
        for (int j = 0; j < c.count && keep[i]; ++j) {
            if (j == i) continue;
            const auto& q = c.point[j];
            const Vec3<C> on_face = q.pos - q.normal * (q.dist * T(0.5));
            const bool face_contact = dot(q.normal, face[j]) > flat;
            if (face_contact && q.dist <= p.dist) keep[i] = abs(dot(Vec3<C>(on_edge - on_face), face[j])) > near;
            if (!face_contact && j < i && keep[j]) keep[i] = norm(Vec3<C>(on_edge - on_face)) > near;
        }
    }
    int kept = 0;
    for (int i = 0; i < c.count; ++i)
        if (keep[i]) c.point[kept++] = c.point[i];
    c.count = kept;
}

// Contacts of a mesh's triangles with a convex geom; normals go from the mesh to the geom. World frame.
template <class T, class M, class C>
[[gnu::cold]] void triangle_contacts(const M& m, int mesh_geom, int geom, const Geom<C>& s_mesh, const Geom<C>& s, T margin,
                                     CollisionResult<C>& out) {
    const int mesh = m.geom_dataid[mesh_geom], first = m.mesh_bvhadr[mesh];
    const OwnGeom<C> in_mesh = in_frame(s, s_mesh.pos, s_mesh.mat);
    const Geom<C> moving = in_mesh.view();
    ConvexObject<T> body = convex_object<T>(m, geom, moving, margin);
    Vec3<T> low, high;
    bound_object(m, body, low, high);
    for (int i = 0; i < 3; ++i) {
        low[i] -= margin;
        high[i] += margin;
    }
    const T depth = T(2) * plain<T>(m.geom_rbound[geom]);
    Vec3<value_t<C>> face[max_points];
    for (int i = 0; i < m.mesh_bvhnum[mesh];) {
        const auto& node = m.mesh_bvhnode[first + i];
        const auto& box = m.mesh_bvhbox[first + i];
        bool near = true;
        for (int k = 0; k < 3; ++k) near = near && static_cast<T>(box[k]) <= high[k] && static_cast<T>(box[3 + k]) >= low[k];
        if (!near) {
            i = node[0];
            continue;
        }
        for (int f = node[1]; f < node[1] + node[2] && out.count < out.capacity; ++f) {
            Vec3<T> v[3];
            face_corners(m, mesh, f, v);
            if (box_meets(v, low, high) && collide_triangle(m, v, body, moving, depth, margin, out))
                face[out.count - 1] = plain_vec<value_t<C>>(normalize(cross(Vec3<T>(v[1] - v[0]), Vec3<T>(v[2] - v[0]))));
        }
        ++i;
    }
    drop_inner_edges(out, face, static_cast<value_t<C>>(depth));
    leave_frame(out, s_mesh.pos, s_mesh.mat);
}

// g1 has the lower type; one of them is the triangle mesh.
template <class T, class M, class C>
void triangles_contacts(const M& m, int g1, int g2, const Geom<C>& s1, const Geom<C>& s2, T margin, CollisionResult<C>& out) {
    const bool second = m.geom_trimesh[g2] != 0;
    triangle_contacts(m, second ? g2 : g1, second ? g1 : g2, second ? s2 : s1, second ? s1 : s2, margin, out);
    for (int i = 0; second && i < out.count; ++i) out.point[i].normal = -out.point[i].normal;
}

}  // namespace mjx::inner
