// ConvexObject<T>: one side of a convex collision, on plain numbers; and its support function, the point furthest in a direction.
// Ties are broken as in MuJoCo (the first of equals, starting from the vertex found last), since with flat faces they decide which
// of several equally deep answers comes out.
//
// Geoms are convex by themselves; a mesh stands for its hull; a height field gives one prism at a time, in its own frame. Meshes
// with ten vertices or more climb the hull graph, smaller ones are searched. Directions are unit vectors, points are in the world
// (prisms: in the field's frame).
#pragma once

#include "mjx/collision/geom.hpp"
#include "mjx/collision/simplex.hpp"
#include "mjx/model/types.hpp"

#include <bit>
#include <limits>

namespace mjx::inner {

// What GJK and EPA run on, whatever the scalar of the simulation. EPA tells faces of a polytope apart by the differences of nearly
// equal planes: in float it stops up to a tenth of the size short of the depth, and loses contacts. Poses and sizes come in, and
// contacts go out, in the scalar's own precision.
using ConvexReal = double;

// A number of the model or of one lane as the plain type the algorithm runs on: derivatives are dropped here.
template <class T, class X>
constexpr T plain(const X& x) {
    return static_cast<T>(value_of(lane(x, 0)));
}
template <class T, class X>
constexpr Vec3<T> plain_vec(const Vec3<X>& v) {
    return {{plain<T>(v[0]), plain<T>(v[1]), plain<T>(v[2])}};
}
template <class T, class X>
constexpr Mat3<T> plain_mat(const Mat3<X>& m) {
    Mat3<T> r;
    for (int i = 0; i < 9; ++i) r[i] = plain<T>(m[i]);
    return r;
}

// What the algorithm sees of a geom. `core` shrinks spheres to their centre and capsules to their axis.
template <class T>
struct ConvexObject {
    int type = shape::sphere;
    int mesh = -1;
    Vec3<T> pos{};
    Mat3<T> mat{};
    Vec3<T> size{};
    T margin = T(0);      // half of it is added around the shape
    bool core = false;
    int vertex = -1;      // box corner or mesh vertex found last
    int hull_vertex = -1;  // the same as a node of the hull graph
    Vec3<T> prism[6];     // height fields: three corners below, three above

    bool polyhedral() const { return type == shape::box || type == shape::mesh || type == shape::hfield; }
    [[gnu::noinline]] Vec3<T> center() const {
        if (type != shape::hfield) return pos;
        Vec3<T> sum = Vec3<T>::zero();
        for (const Vec3<T>& p : prism) sum += p;
        return sum * T(T(1) / T(6));
    }
};

// The geom with a given pose and size, which may carry derivatives. Signed distance fields collide by the hull of their mesh here.
template <class T, class M, class L>
ConvexObject<T> convex_object(const M& m, int geom, const Geom<L>& s, T margin) {
    ConvexObject<T> object;
    object.type = m.geom_type[geom] == shape::sdf ? static_cast<int>(shape::mesh) : static_cast<int>(m.geom_type[geom]);
    object.mesh = object.type == shape::mesh ? m.geom_dataid[geom] : -1;
    object.pos = plain_vec<T>(s.pos);
    object.mat = plain_mat<T>(s.mat);
    object.size = plain_vec<T>(s.size);
    object.margin = margin;
    return object;
}

template <class T>
constexpr T dot_float(const Vec3<T>& a, const Vec3<float>& b) {
    return a[0] * static_cast<T>(b[0]) + a[1] * static_cast<T>(b[1]) + a[2] * static_cast<T>(b[2]);
}

// The corners of face f of a mesh, in its frame.
template <class T, class M>
[[gnu::noinline]] void face_corners(const M& m, int mesh, int f, Vec3<T> (&v)[3]) {
    const auto& face = m.mesh_face[m.mesh_faceadr[mesh] + f];
    for (int k = 0; k < 3; ++k) v[k] = plain_vec<T>(m.mesh_vert[m.mesh_vertadr[mesh] + face[k]]);
}

// The vertex of a mesh furthest along dir, in its frame. Of equals the last answer wins if there is one, else the first.
template <class T, class M>
int search_mesh(const M& m, int mesh, int last, const Vec3<T>& dir) {
    const int first = m.mesh_vertadr[mesh], count = m.mesh_vertnum[mesh];
    int best = last >= 0 ? last : 0;
    T reach = last >= 0 ? dot_float(dir, m.mesh_vert[first + best]) : T(-std::numeric_limits<float>::max());
    for (int i = 0; i < count; ++i) {
        const T along = dot_float(dir, m.mesh_vert[first + i]);
        if (along > reach) {
            reach = along;
            best = i;
        }
    }
    return best;
}

// The eight points of a block of mesh_node, along dir: four and four, rounded as one would be.
template <class T>
void along_block(const Vec<int, 32>& block, const Vec3<T>& dir, quad<T>& low, quad<T>& high) {
    quad<float> part[6];
    quad<T> wide[6];
    std::memcpy(part, &block[0], sizeof part);
    for (int i = 0; i < 6; ++i) wide[i] = __builtin_convertvector(part[i], quad<T>);
    low = dir[0] * wide[0] + dir[1] * wide[2] + dir[2] * wide[4];
    high = dir[0] * wide[1] + dir[1] * wide[3] + dir[2] * wide[5];
}

// The greatest of eight numbers and the first place where it stands.
template <class T>
int first_greatest(const quad<T>& low, const quad<T>& high, T& greatest) {
    quad<T> most = low > high ? low : high;
    quad<T> other = __builtin_shufflevector(most, most, 2, 3, 0, 1);
    most = most > other ? most : other;
    other = __builtin_shufflevector(most, most, 1, 0, 3, 2);
    most = most > other ? most : other;
    greatest = most[0];
    using Bits = decltype(low == high);
    Bits found = ((low == most) & Bits{1, 2, 4, 8}) | ((high == most) & Bits{16, 32, 64, 128});
    found |= __builtin_shufflevector(found, found, 2, 3, 0, 1);
    return __builtin_ctz(static_cast<unsigned>(found[0] | found[1]));
}

// Climbs the hull graph from the better of two nodes to one whose neighbours reach no further; of equals the first in the list wins.
// Both starts are looked at before it is known which is better. A node comes first in its block, so that a step is a look at eight
// points without a branch but the last.
template <class T, class M>
int climb(const M& m, int mesh, int start, int other, const Vec3<T>& dir) {
    const int nodes = m.mesh_nodeadr[mesh], numvert = m.mesh_graph[m.mesh_graphadr[mesh]];
    quad<T> low, high, low_other, high_other;
    along_block(m.mesh_node[nodes + start], dir, low, high);
    along_block(m.mesh_node[nodes + other], dir, low_other, high_other);
    const auto better = __builtin_shufflevector(low_other, low_other, 0, 0, 0, 0) > __builtin_shufflevector(low, low, 0, 0, 0, 0);
    low = better ? low_other : low;
    high = better ? high_other : high;
    int node = better[0] != 0 ? other : start;
    // every round but the last improves the reach, so there are at most as many as vertices
    for (int round = 0; round <= numvert; ++round) {
        int next = node, block = node;
        for (T reach = low[0];;) {
            const auto further = (low > reach) | (high > reach);
            if ((further[0] | further[1] | further[2] | further[3]) != 0)
                next = m.mesh_node[nodes + block][24 + first_greatest<T>(low, high, reach)];
            block = m.mesh_node[nodes + block][24];
            if (block == 0) break;
            along_block(m.mesh_node[nodes + block], dir, low, high);
        }
        if (next == node) break;
        node = next;
        along_block(m.mesh_node[nodes + node], dir, low, high);
    }
    return node;
}

// The vertex of a mesh furthest along dir, which becomes the last answer: climbs from that before or the extreme vertex of the
// direction's cell in a 3x3x3 grid.
template <class T, class M>
Vec3<T> mesh_support(const M& m, ConvexObject<T>& o, const Vec3<T>& dir) {
    const int graph = m.mesh_graphadr[o.mesh];
    if (graph < 0 || m.mesh_vertnum[o.mesh] < 10) {
        o.vertex = search_mesh(m, o.mesh, o.vertex, dir);
        return plain_vec<T>(m.mesh_vert[m.mesh_vertadr[o.mesh] + o.vertex]);
    }
    int cell = 0;
    for (int k = 0; k < 3; ++k) cell = 3 * cell + 1 + (dir[k] > T(0.4)) - (dir[k] < T(-0.4));
    const int extreme = m.mesh_extrema[o.mesh][cell];
    o.hull_vertex = climb(m, o.mesh, o.hull_vertex >= 0 ? o.hull_vertex : extreme, extreme, dir);
    o.vertex = m.mesh_graph[graph + 2 + m.mesh_graph[graph] + o.hull_vertex];
    const auto& block = m.mesh_node[m.mesh_nodeadr[o.mesh] + o.hull_vertex];
    Vec3<T> p;
    for (int i = 0; i < 3; ++i) p[i] = static_cast<T>(std::bit_cast<float>(block[8 * i]));
    return p;
}

// The corner of the half (upper or lower) that dir points into.
template <class T>
Vec3<T> prism_support(const ConvexObject<T>& o, const Vec3<T>& dir) {
    const int start = dir[2] < T(0) ? 0 : 3;
    int best = start;
    for (int i = start + 1; i < start + 3; ++i)
        if (dot(o.prism[i], dir) > dot(o.prism[best], dir)) best = i;
    return o.prism[best];
}

template <class T>
Vec3<T> local_ellipsoid_support(const Vec3<T>& size, const Vec3<T>& dir) {
    Vec3<T> p{{dir[0] * size[0], dir[1] * size[1], dir[2] * size[2]}};
    const T square = dot(p, p);
    if (square < T(minval_v<T> * minval_v<T>)) return {{size[0], T(0), T(0)}};
    const T inverse = T(1) / sqrt(square);
    for (int i = 0; i < 3; ++i) p[i] *= inverse * size[i];
    return p;
}

template <class T>
Vec3<T> local_cylinder_support(const Vec3<T>& size, const Vec3<T>& dir) {
    const T square = dir[0] * dir[0] + dir[1] * dir[1];
    const T scale = square >= T(minval_v<T> * minval_v<T>) ? size[0] / sqrt(square) : T(0);
    return {{scale * dir[0], scale * dir[1], dir[2] >= T(0) ? size[1] : -size[1]}};
}

// The point of the object, without its margin, furthest along the unit vector dir.
template <class T, class M>
void support(const M& m, ConvexObject<T>& o, const Vec3<T>& dir, Point<T>& point) {
    const auto put = [&](T x, T y, T z) { point.set(x, y, z); };
    if (o.type == shape::hfield) {
        const Vec3<T> corner = prism_support(o, dir);
        return put(corner[0], corner[1], corner[2]);
    }
    if (o.type == shape::sphere) {
        if (o.core) return put(o.pos[0], o.pos[1], o.pos[2]);
        const T r = o.size[0];
        return put(dir[0] * r + o.pos[0], dir[1] * r + o.pos[1], dir[2] * r + o.pos[2]);
    }
    if (o.type == shape::capsule && o.core) {
        const Vec3<T> axis = o.mat.column(2);
        const T half = dot(axis, dir) >= T(0) ? o.size[1] : -o.size[1];
        return put(axis[0] * half + o.pos[0], axis[1] * half + o.pos[1], axis[2] * half + o.pos[2]);
    }
    const Vec3<T> local = transpose_mul(o.mat, dir);
    Vec3<T> p{};
    switch (o.type) {
        case shape::capsule:
            p = local * o.size[0];
            p[2] += local[2] >= T(0) ? o.size[1] : -o.size[1];
            break;
        case shape::ellipsoid: p = local_ellipsoid_support(o.size, local); break;
        case shape::cylinder: p = local_cylinder_support(o.size, local); break;
        case shape::mesh: p = mesh_support(m, o, local); break;
        default:
            o.vertex = 0;
            for (int i = 0; i < 3; ++i) {
                p[i] = local[i] >= T(0) ? o.size[i] : -o.size[i];
                o.vertex |= p[i] > T(0) ? 1 << i : 0;
            }
    }
    const Vec3<T> turned = o.mat * p;
    put(turned[0] + o.pos[0], turned[1] + o.pos[1], turned[2] + o.pos[2]);
}

}  // namespace mjx::inner
