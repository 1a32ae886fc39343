// Several contacts of two boxes, meshes or cylinders from one run of EPA: the faces (or an edge and a face) that meet are clipped against
// each other, and each corner of the patch becomes a contact.
//
// EPA ends with up to three vertices of each object. They name a face, an edge or a corner; the faces around it that oppose each
// other within 5 degrees are the ones in contact, else an edge that lies in a face within 5 degrees, where the face looks at the other
// object. More than four corners are reduced to the quadrilateral of greatest area. Of several candidates the first found wins, in the
// order of the polygons around the first vertex; this is MuJoCo's rule for equally good answers. World coordinates.
#pragma once

#include "mjx/collision/clip.hpp"

namespace mjx::inner {

// Capacity for the polygons of a mesh's hull and of cylinders: the largest one for fixed models; elsewhere larger ones are thinned out
// evenly.
template <class M>
constexpr int polygon_capacity() {
    if constexpr (M::is_fixed) {
        int most = 4;
        for (int g = 0; g < M::ngeom; ++g)
            all_shapes::visit(M::geom_type[g], [&](auto s) { most = s.corners_of_face > most ? s.corners_of_face : most; });
        constexpr constants_t<M> m{};
        for (int i = 0; i < m.mesh_polyvertnum.size(); ++i)
            if (m.mesh_polyvertnum[i] > most) most = m.mesh_polyvertnum[i];
        return most;
    } else {
        return 256;
    }
}

// One to three vertices of an object: a corner, an edge or a face.
template <class T>
struct Feature {
    Vec3<T> vert[3];
    int index[3];
    int dim = 3;

    // Of the first object (side 1) or the second, by the face of the difference that EPA ended with.
    [[gnu::noinline]] Feature(const MinkowskiVertex<T>* face, int side) {
        for (int i = 0; i < 3; ++i) {
            vert[i] = side == 1 ? face[i].vert1 : face[i].vert2;
            index[i] = side == 1 ? face[i].index1 : face[i].index2;
        }
        if (index[0] == index[1]) {
            dim = index[0] == index[2] ? 1 : 2;
            index[1] = index[2];
            vert[1] = vert[2];
        } else if (index[2] == index[0] || index[2] == index[1]) {
            dim = 2;
        }
    }
};

// f(Shape{}) if the shape of the type has faces.
template <class F>
[[gnu::always_inline]] inline void visit_faced(int type, F&& f) {
    all_shapes::visit(type, [&](auto s) {
        if constexpr (decltype(s)::faced) f(s);
    });
}

// A corner of faces by its number.
template <class T, class M>
[[gnu::noinline]] Vec3<T> object_vertex(const M& m, const ConvexObject<T>& o, int index) {
    Vec3<T> p{};
    visit_faced(o.type, [&](auto s) { p = s.vertex(m, o, index); });
    return o.mat * p + o.pos;
}

// The outer normal of a face: of a box, or of the hull of a mesh.
template <class T, class M>
Vec3<T> face_normal(const M& m, const ConvexObject<T>& o, int face) {
    Vec3<T> n{};
    visit_faced(o.type, [&](auto s) { n = s.face_normal(m, o, face); });
    return n;
}

// Faces that contain a feature.
template <class T, class M>
struct FeatureFaces {
    const M& m;
    const ConvexObject<T>& o;
    int count = 0;
    int face[3] = {};
    int map = -1;  // a mesh vertex: its faces are listed from here

    int operator[](int i) const { return map >= 0 ? m.mesh_polymap[map + i] : face[i]; }
    [[gnu::noinline]] Vec3<T> normal(int i) const { return face_normal(m, o, (*this)[i]); }

    FeatureFaces(const M& model, const ConvexObject<T>& object, const Feature<T>& f, const Vec3<T>& dir) : m(model), o(object) {
        visit_faced(o.type, [&](auto s) { s.find_faces(f, dir, *this); });
    }
};

// Edges that leave the first vertex of a corner or an edge.
template <class T, class M>
struct FeatureEdges {
    const M& m;
    const ConvexObject<T>& o;
    const Feature<T>& f;
    int count = 1;

    FeatureEdges(const M& model, const ConvexObject<T>& object, const Feature<T>& feature) : m(model), o(object), f(feature) {
        if (f.dim == 2) return;
        visit_faced(o.type, [&](auto s) {
            if constexpr (requires { s.edge_count(m, o, 0); }) count = s.edge_count(m, o, f.index[0]);
        });
    }
    [[gnu::noinline]] Vec3<T> end(int i) const {
        Vec3<T> far = f.vert[1];
        visit_faced(o.type, [&](auto s) {
            if constexpr (requires { s.side_end(o, 0, far); })
                far = s.side_end(o, f.index[0], Vec3<T>(f.vert[0]));
            else if (f.dim != 2)
                far = object_vertex(m, o, s.edge_end(m, o, f.index[0], i));
        });
        return far;
    }
    Vec3<T> direction(int i) const { return normalize(Vec3<T>(end(i) - f.vert[0])); }
};

// The corners of a face, clockwise seen from outside.
template <class T, class M, int P>
void face_polygon(const M& m, const ConvexObject<T>& o, int face, Polygon<T, P>& out) {
    out.count = 0;
    visit_faced(o.type, [&](auto s) {
        const int n = s.face_size(m, o, face), used = n < P ? n : P;
        for (int i = 0; i < used; ++i) out.add(object_vertex(m, o, s.face_vertex(m, o, face, used == n ? i : i * n / used)));
    });
}

// Writes the patch into the query: x2 on the clipped polygon, x1 below it along `dir`. Where it comes from is in `source`.
template <class T, class M, int P>
void store_patch(const M& m, ConvexQuery<T>& q, const Polygon<T, P>& patch, const Vec3<T>& origin, const Vec3<T>& normal,
                 const Vec3<T>& dir, const ContactPatch<T>& source) {
    if (patch.count < 1) return;
    q.patch = source;
    q.count = patch.count < q.capacity ? patch.count : q.capacity;
    int corner[ConvexQuery<T>::capacity];
    for (int i = 0; i < q.count; ++i) corner[i] = i;
    if (q.max_contacts < 5 && patch.count > 4) {
        largest_quad(patch, corner, {.crossed = m.opt.mujoco < 313});
        q.count = 4;
    } else if (source.subject_face < 0 && patch.count > 2) {
        T most = T(0);
        for (int i = 0; i < patch.count; ++i)
            for (int j = i + 1; j < patch.count; ++j) {
                const Vec3<T> apart = patch.point[j] - patch.point[i];
                if (!(dot(apart, apart) > most)) continue;
                most = dot(apart, apart);
                corner[0] = i;
                corner[1] = j;
            }
        q.count = 2;
    }
    for (int i = 0; i < q.count; ++i) {
        const Vec3<T>& p = patch.point[corner[i]];
        q.dist[i] = dot(Vec3<T>(p - origin), normal);
        q.x1[i] = p - dir * abs(q.dist[i]);
        q.x2[i] = p;
    }
}

// Clips a face or an edge of the object `subject`, as the source of the patch says, by a face of the object `frame`.
template <int P, class T, class M>
void clip_on_face(const M& m, ConvexQuery<T>& q, const ConvexObject<T>& frame, const ConvexObject<T>& subject, const Vec3<T>& normal,
                  const Vec3<T>& dir, const ContactPatch<T>& source) {
    Polygon<T, P> face, clipped;
    Polygon<T, 2 * P + 2> patch;
    face_polygon(m, frame, source.frame_face, face);
    if (face.count < 3) return;
    if (source.subject_face >= 0) {
        face_polygon(m, subject, source.subject_face, clipped);
    } else {
        clipped.add(source.start);
        clipped.add(source.end);
    }
    clip_polygon(face, normal, clipped, patch);
    store_patch(m, q, patch, face.point[0], normal, dir, source);
}

template <class T, class M>
bool find_edge(const FeatureEdges<T, M>& edges, const FeatureFaces<T, M>& faces, const Vec3<T>& dir, int& edge, int& face) {
    for (face = 0; face < faces.count; ++face) {
        const Vec3<T> normal = faces.normal(face);
        if (edges.m.opt.mujoco >= 313 && !(dot(normal, dir) > T(minval_v<T>))) continue;
        for (edge = 0; edge < edges.count; ++edge)
            if (abs(dot(edges.direction(edge), normal)) < T(0.0888)) return true;
    }
    return false;
}

// Replaces the query's single point by a patch, where there is one. Its simplex is the face of the difference that EPA ended with.
template <int P, class T, class M>
void multicontact(const M& m, ConvexQuery<T>& q, const ConvexObject<T>& a, const ConvexObject<T>& b) {
    const auto flat = [&](const ConvexObject<T>& o) { return o.mesh >= 0 && m.mesh_polynum[o.mesh] == 0; };
    if (flat(a) || flat(b)) return;
    const Feature<T> fa(q.simplex, 1), fb(q.simplex, 2);
    const Vec3<T> dir = q.x2[0] - q.x1[0];
    const FeatureFaces<T, M> faces_a(m, a, fa, Vec3<T>(-dir)), faces_b(m, b, fb, dir);
    for (int i = 0; i < faces_a.count; ++i)
        for (int j = 0; j < faces_b.count; ++j) {
            const Vec3<T> na = faces_a.normal(i), nb = faces_b.normal(j);
            if (!(dot(na, nb) < T(-0.996))) continue;
            return clip_on_face<P>(m, q, a, b, na, nb, {2, faces_b[j], faces_a[i], {}, {}, {}, {}});
        }
    const bool edge_of_a = fa.dim < 3 && fa.dim <= fb.dim;
    if (!edge_of_a && fb.dim == 3) return;
    const FeatureEdges<T, M> edges(m, edge_of_a ? a : b, edge_of_a ? fa : fb);
    const FeatureFaces<T, M>& faces = edge_of_a ? faces_b : faces_a;
    int edge, face;
    if (!find_edge(edges, faces, edge_of_a ? dir : Vec3<T>(-dir), edge, face)) return;
    const Vec3<T> normal = faces.normal(face);
    const ContactPatch<T> source{edge_of_a ? 1 : 2, -1, faces[face], edges.f.vert[0], edges.end(edge), q.x1[0], q.x2[0]};
    clip_on_face<P>(m, q, faces.o, edges.o, normal, Vec3<T>(-normal), source);
    for (int k = 0; edge_of_a && k < q.count; ++k) {
        const Vec3<T> swap = q.x1[k];
        q.x1[k] = q.x2[k];
        q.x2[k] = swap;
    }
}

}  // namespace mjx::inner
