// Shapes whose form is an asset: Mesh (for collision, its convex hull), Hfield (a height field) and Sdf (a signed distance field).
//
// Their sizes, bounds and masses are set with the asset (compile/assets.hpp), their rays are in collision/ray_mesh.hpp. Meshes with ten
// vertices or more climb the graph of the hull, smaller ones are searched. Ties are broken as in MuJoCo: the first of equals, starting
// from the vertex found last.
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/model/shape/box.hpp"

#include <bit>
#include <limits>

namespace mjx::inner {

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
template <bool InKernel, class T>
[[gnu::always_inline]] inline void along_block(const Vec<int, 32>& block, const Vec3<T>& dir, quad<T>& low, quad<T>& high) {
    quad<T> wide[6];
    for (int i = 0; i < 6; ++i) load_floats<InKernel, T>(wide[i], &block[4 * i]);
    low = dir[0] * wide[0] + dir[1] * wide[2] + dir[2] * wide[4];
    high = dir[0] * wide[1] + dir[1] * wide[3] + dir[2] * wide[5];
}

// The greatest of eight numbers and the first place where it stands; the first place if one is not a number.
template <bool InKernel, class T>
[[gnu::always_inline]] inline int first_greatest(const quad<T>& low, const quad<T>& high, T& greatest) {
    quad<T> most = low > high ? low : high;
    quad<T> other = __builtin_shufflevector(most, most, 2, 3, 0, 1);
    most = most > other ? most : other;
    other = __builtin_shufflevector(most, most, 1, 0, 3, 2);
    most = most > other ? most : other;
    greatest = most[0];
    return __builtin_ctz(true_bits<InKernel, T>(low == most) | true_bits<InKernel, T>(high == most) << 4 | 256) & 7;
}

// A climb of the hull graph, from the better of two nodes to one whose neighbours reach no further; of equals the first in the list wins.
// Both starts are looked at before it is known which is better. A node comes first in its block, so that a step is a look at eight
// points with hardly a branch.
template <class T, class M>
struct HullClimb {
    static constexpr bool kernel = in_kernel_v<M>;
    const M& m;
    const Vec3<T>& dir;  // in the mesh's frame
    const int nodes;
    int node;
    quad<T> low, high;  // the node's block along dir

    [[gnu::always_inline]] HullClimb(const M& model, int mesh, int start, int other, const Vec3<T>& direction)
        : m(model), dir(direction), nodes(model.mesh_nodeadr[mesh]) {
        quad<T> low_other, high_other;
        along_block<kernel>(m.mesh_node[nodes + start], dir, low, high);
        along_block<kernel>(m.mesh_node[nodes + other], dir, low_other, high_other);
        const auto better = __builtin_shufflevector(low_other, low_other, 0, 0, 0, 0) > __builtin_shufflevector(low, low, 0, 0, 0, 0);
        low = better ? low_other : low;
        high = better ? high_other : high;
        node = better[0] != 0 ? other : start;
    }
    // To the neighbour that reaches furthest; false if none reaches further than the node.
    [[gnu::always_inline]] bool step() {
        T reach = low[0];
        const int first = first_greatest<kernel>(low, high, reach), before = node;
        const auto& own = m.mesh_node[nodes + before];
        node = first == 0 ? before : own[24 + first];
        for (int block = own[24]; block != 0; block = m.mesh_node[nodes + block][24]) {
            along_block<kernel>(m.mesh_node[nodes + block], dir, low, high);
            if (true_bits<kernel, T>((low > reach) | (high > reach)) != 0)
                node = m.mesh_node[nodes + block][24 + first_greatest<kernel>(low, high, reach)];
        }
        along_block<kernel>(m.mesh_node[nodes + node], dir, low, high);
        return node != before;
    }
};

// Every step but the last improves the reach, so there are at most as many as vertices.
template <class T, class M>
int climb(const M& m, int mesh, int start, int other, const Vec3<T>& dir) {
    HullClimb<T, M> at(m, mesh, start, other, dir);
    const int vertices = m.mesh_graph[m.mesh_graphadr[mesh]];
    for (int round = 0; round <= vertices && at.step(); ++round) {
    }
    return at.node;
}

// Climbs two graphs at once, which takes as long as the longer climb.
template <class T, class M>
[[gnu::always_inline]] inline void climb_both(HullClimb<T, M>& a, HullClimb<T, M>& b, int vertices) {
    for (int round = 0; round <= vertices; ++round) {
        const bool a_moved = a.step(), b_moved = b.step();
        if (!(a_moved | b_moved)) break;
    }
}

struct Mesh : ShapeTraits {
    static constexpr int type = shape::mesh, sizes = 0;
    static constexpr const char* name = "mesh";
    static constexpr bool from_asset = true, of_mesh = true, polyhedral = true, faced = true;

    // The vertex furthest along dir, which becomes the last answer: climbs from that before or the extreme vertex of the direction's
    // cell in a 3x3x3 grid.
    template <class M, class Object, class T>
    static Vec3<T> vertex_support(const M& m, Object& o, const Vec3<T>& dir) {
        if (!climbs(m, o.mesh)) {
            o.vertex = search_mesh(m, o.mesh, o.vertex, dir);
            return plain_vec<T>(m.mesh_vert[m.mesh_vertadr[o.mesh] + o.vertex]);
        }
        const int extreme = extreme_vertex(m, o, dir);
        return set_vertex<T>(m, o, climb(m, o.mesh, o.hull_vertex >= 0 ? o.hull_vertex : extreme, extreme, dir));
    }
    // The same for two meshes that both climb, in directions of their own.
    template <class M, class Object, class T>
    [[gnu::always_inline]] static void vertex_supports(const M& m, Object& a, Object& b, const Vec3<T>& dir_a, const Vec3<T>& dir_b,
                                                       Vec3<T>& point_a, Vec3<T>& point_b) {
        const int extreme_a = extreme_vertex(m, a, dir_a), extreme_b = extreme_vertex(m, b, dir_b);
        HullClimb<T, M> at_a(m, a.mesh, a.hull_vertex >= 0 ? a.hull_vertex : extreme_a, extreme_a, dir_a);
        HullClimb<T, M> at_b(m, b.mesh, b.hull_vertex >= 0 ? b.hull_vertex : extreme_b, extreme_b, dir_b);
        climb_both(at_a, at_b, m.mesh_vertnum[a.mesh] + m.mesh_vertnum[b.mesh]);
        point_a = set_vertex<T>(m, a, at_a.node);
        point_b = set_vertex<T>(m, b, at_b.node);
    }
    template <class M>
    static bool climbs(const M& m, int mesh) {
        return m.mesh_graphadr[mesh] >= 0 && m.mesh_vertnum[mesh] >= 10;
    }
    // The vertex furthest in the middle of the direction's cell.
    template <class M, class Object, class T>
    [[gnu::always_inline]] static int extreme_vertex(const M& m, const Object& o, const Vec3<T>& dir) {
        int cell = 0;
        for (int k = 0; k < 3; ++k) cell = 3 * cell + 1 + (dir[k] > T(0.4)) - (dir[k] < T(-0.4));
        return m.mesh_extrema[o.mesh][cell];
    }
    // A node of the hull graph becomes the last answer; where it is.
    template <class T, class M, class Object>
    [[gnu::always_inline]] static Vec3<T> set_vertex(const M& m, Object& o, int node) {
        const int graph = m.mesh_graphadr[o.mesh];
        o.hull_vertex = node;
        o.vertex = m.mesh_graph[graph + 2 + m.mesh_graph[graph] + node];
        const auto& block = m.mesh_node[m.mesh_nodeadr[o.mesh] + node];
        Vec3<T> p;
        for (int i = 0; i < 3; ++i) p[i] = static_cast<T>(std::bit_cast<float>(block[8 * i]));
        return p;
    }

    // As a polyhedron, in its place o: vertices in its frame, outer normals of the hull's faces in the world, their corners clockwise.
    template <class M, class Object>
    static auto vertex(const M& m, const Object& o, int index) {
        return plain_vec<std::remove_cvref_t<decltype(o.size[0])>>(m.mesh_vert[m.mesh_vertadr[o.mesh] + index]);
    }
    template <class M, class Object>
    static auto face_normal(const M& m, const Object& o, int face) {
        return o.mat * plain_vec<std::remove_cvref_t<decltype(o.size[0])>>(m.mesh_polynormal[m.mesh_polyadr[o.mesh] + face]);
    }
    template <class M, class Object>
    static int face_size(const M& m, const Object& o, int face) {
        return m.mesh_polyvertnum[m.mesh_polyadr[o.mesh] + face];
    }
    template <class M, class Object>
    static int face_vertex(const M& m, const Object& o, int face, int k) {
        const int polygon = m.mesh_polyadr[o.mesh] + face;
        return m.mesh_polyvert[m.mesh_polyvertadr[polygon] + m.mesh_polyvertnum[polygon] - 1 - k];
    }
    template <class M, class Object>
    static int edge_count(const M& m, const Object& o, int vertex) {
        return m.mesh_polymapnum[m.mesh_vertadr[o.mesh] + vertex];
    }
    // The vertex before this one in its polygon number `edge`.
    template <class M, class Object>
    static int edge_end(const M& m, const Object& o, int vertex, int edge) {
        const int polygon = m.mesh_polyadr[o.mesh] + m.mesh_polymap[m.mesh_polymapadr[m.mesh_vertadr[o.mesh] + vertex] + edge];
        const int adr = m.mesh_polyvertadr[polygon], n = m.mesh_polyvertnum[polygon];
        int previous = m.mesh_polyvert[adr + n - 1];
        for (int j = 0; j < n && m.mesh_polyvert[adr + j] != vertex; ++j) previous = m.mesh_polyvert[adr + j];
        return previous;
    }
    // Faces that hold all vertices of a feature.
    template <class Feature, class T, class Faces>
    static void find_faces(const Feature& f, const Vec3<T>&, Faces& found) {
        const auto& m = found.m;
        const int vert = m.mesh_vertadr[found.o.mesh];
        const int adr = m.mesh_polymapadr[vert + f.index[0]], num = m.mesh_polymapnum[vert + f.index[0]];
        const auto around = [&](int polygon, int vertex) {
            for (int i = 0; i < m.mesh_polymapnum[vertex]; ++i)
                if (m.mesh_polymap[m.mesh_polymapadr[vertex] + i] == polygon) return true;
            return false;
        };
        if (f.dim == 1) {
            found.map = adr;
            found.count = num;
            return;
        }
        for (int i = 0; i < num && found.count < 2; ++i)
            if (around(m.mesh_polymap[adr + i], vert + f.index[1])) found.face[found.count++] = m.mesh_polymap[adr + i];
        if (f.dim == 2) return;
        const int edge_count = found.count;
        found.count = 0;
        for (int i = 0; i < edge_count && found.count < 1; ++i)
            if (around(found.face[i], vert + f.index[2])) found.face[found.count++] = found.face[i];
    }
};

// One prism of it at a time collides, in the field's frame: three corners below, three above. Its mass is that of a box.
struct Hfield : ShapeTraits {
    static constexpr int type = shape::hfield, sizes = 0;
    static constexpr const char* name = "hfield";
    static constexpr bool ground = true, from_asset = true, of_hfield = true, polyhedral = true, fits_site = false;

    template <class R>
    static R volume(const Vec3<R>& size, bool shell) {
        return Box::volume(size, shell);
    }
    template <class R>
    static Vec3<R> inertia(const R& mass, const Vec3<R>& size, bool shell) {
        return Box::inertia(mass, size, shell);
    }

    // The corner of the half (upper or lower) that dir points into.
    template <class Object, class T>
    static bool support_in_world(const Object& o, const Vec3<T>& dir, Vec3<T>& p) {
        const int start = dir[2] < T(0) ? 0 : 3;
        int best = start;
        for (int i = start + 1; i < start + 3; ++i)
            if (dot(o.prism[i], dir) > dot(o.prism[best], dir)) best = i;
        p = o.prism[best];
        return true;
    }
};

struct Sdf : ShapeTraits {
    static constexpr int type = shape::sdf, sizes = 0;
    static constexpr const char* name = "sdf";
    static constexpr bool from_asset = true, of_mesh = true, is_field = true;
};

}  // namespace mjx::inner
