// Polytope<T, N>: the growing hull of EPA around the origin: vertices, triangular faces with their neighbours, and the horizon of
// faces that a new vertex sees. Room for N expansions.
//
// Faces that may still be closest to the origin are listed in `map`. A face keeps the projection of the origin on its plane, which
// doubles as its normal.
#pragma once

#include "mjx/collision/simplex.hpp"

#include <type_traits>

namespace mjx::inner {

// Planes are told apart by their last bits, as in MuJoCo, where these are double's. In float they are noise: what differs by less than this
// part of a distance is taken for equal.
template <class T>
inline constexpr bool has_plane_noise = std::is_same_v<T, float>;
template <class T>
T plane_noise(const T& distance) {
    return has_plane_noise<T> ? T(4e-6) * distance : T(0);
}

template <class T>
struct PolytopeFace {
    int vert[3];
    int adjacent[3];  // across the edges 01, 12, 20
    Point<T> v;  // the origin projected on the plane, pointing outwards
    T dist2;  // its square
    int index;  // place in the map; -1 not there, -2 deleted
};

template <class T, int N>
struct Polytope {
    static constexpr int max_faces = 6 * N, max_vertices = N + 8, max_edges = 128;
    MinkowskiVertex<T> vert[max_vertices];
    PolytopeFace<T> face[max_faces];
    int map[max_faces];
    int spare[max_faces];  // faces that are not listed but may be later
    int vertices = 0, faces = 0, mapped = 0, spares = 0;
    Vec3<T> center;
    int edge_face[max_edges], edge_side[max_edges];  // horizon: faces that stay, and their side to it
    int edges = 0;
    struct Visit {
        int face, side, turn;
    };
    Visit visit[max_faces];  // the way to a face, while the horizon is looked for

    int add(const MinkowskiVertex<T>& v) {
        vert[vertices] = v;
        return vertices++;
    }

    // Adds a face; the square of its distance to the origin, 0 if it has no plane.
    [[gnu::noinline]] T attach(int a, int b, int c, int adjacent_ab, int adjacent_bc, int adjacent_ca) {
        PolytopeFace<T>& f = face[faces++];
        f.vert[0] = a;
        f.vert[1] = b;
        f.vert[2] = c;
        f.adjacent[0] = adjacent_ab;
        f.adjacent[1] = adjacent_bc;
        f.adjacent[2] = adjacent_ca;
        f.index = -1;
        Vec3<T> v = Vec3<T>::zero();
        project_origin<T>(vert[c].vert, vert[b].vert, vert[a].vert, v);
        if (dot(v, Vec3<T>(vert[a].vert - center)) < T(0)) v = -v;
        f.v = v;
        f.dist2 = dot(v, v);
        return f.dist2;
    }
    void list(int f) {
        face[f].index = mapped;
        map[mapped++] = f;
    }
    void remove(int f) {
        if (face[f].index >= 0) {
            const int last = map[--mapped];
            map[face[f].index] = last;
            face[last].index = face[f].index;
        }
        face[f].index = -2;
    }
    void keep(int f) { spare[spares++] = f; }
    // Lists the spare faces that still exist.
    void list_spares() {
        for (int i = 0; i < spares; ++i)
            if (face[spare[i]].index == -1) list(spare[i]);
        spares = 0;
    }
    static bool sees(const PolytopeFace<T>& f, const Vec3<T>& w) {
        const T beyond = dot(f.v, w) - f.dist2;
        if constexpr (has_plane_noise<T>)
            return beyond > plane_noise(T(sqrt(f.dist2 * dot(w, w))));
        else
            return beyond > T(minval_v<T>);
    }
    void clear() { vertices = faces = mapped = spares = edges = 0; }

    // Deletes every face that sees w, starting from one that does, and lists the edges of what remains in order around the hole.
    // Depth first. False if the horizon is too long to hold.
    bool find_horizon(int start, const Vec3<T>& w) {
        int depth = 0;
        edges = 0;
        remove(start);
        visit[depth++] = {start, 0, 0};
        while (depth > 0) {
            Visit& top = visit[depth - 1];
            if (top.turn == 3) {
                --depth;
                continue;
            }
            const int side = (top.side + top.turn++) % 3, self = top.face, other = face[self].adjacent[side];
            if (face[other].index == -2) continue;
            const int shared = face[self].vert[(side + 1) % 3];
            const int other_side = face[other].vert[0] == shared ? 0 : face[other].vert[1] == shared ? 1 : 2;
            if (sees(face[other], w)) {
                remove(other);
                visit[depth++] = {other, other_side, 1};
            } else {
                if (edges == max_edges) return false;
                edge_face[edges] = other;
                edge_side[edges++] = other_side;
            }
        }
        return true;
    }
};

}  // namespace mjx::inner
