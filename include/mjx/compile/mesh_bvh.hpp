// make_mesh_tree: a tree of boxes over the faces of a mesh, for rays and triangle collisions.
//
// Nodes are in depth-first order and each knows the node after its subtree, so a traversal is one loop without a stack. Faces are
// sorted so that each leaf holds a run of at most eight. Split at the median of the centroids along the longest side.
#pragma once

#include "mjx/math/vec.hpp"
#include "mjx/model/list.hpp"

#include <algorithm>

namespace mjx::inner::compiler {

struct MeshTree {
    List<Vec<int, 3>> face{};   // sorted
    List<Vec<int, 3>> node{};   // node after the subtree, first face, number of faces (0: inner)
    List<Vec6<float>> box{};    // low and high corner
};

// A face of a mesh with three times its centroid: to look up its corners whenever it is compared would take most of the time.
struct PlacedFace {
    Vec<int, 3> face;
    Vec3<float> centre;
};

inline Vec6<float> faces_box(const List<Vec3<float>>& vert, const PlacedFace* first, const PlacedFace* last) {
    Vec6<float> box;
    for (int k = 0; k < 6; ++k) box[k] = vert[static_cast<std::size_t>(first->face[0])][k % 3];
    for (const PlacedFace* f = first; f != last; ++f)
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) {
                const float x = vert[static_cast<std::size_t>(f->face[c])][k];
                box[k] = std::min(box[k], x);
                box[3 + k] = std::max(box[3 + k], x);
            }
    return box;
}

inline List<PlacedFace> place_faces(const List<Vec3<float>>& vert, const List<Vec<int, 3>>& face) {
    List<PlacedFace> placed;
    placed.reserve(face.size());
    for (const Vec<int, 3>& f : face) {
        Vec3<float> centre = Vec3<float>::zero();
        for (int k = 0; k < 3; ++k)
            for (int c = 0; c < 3; ++c) centre[k] += vert[static_cast<std::size_t>(f[c])][k];
        placed.push_back({f, centre});
    }
    return placed;
}

inline MeshTree make_mesh_tree(const List<Vec3<float>>& vert, const List<Vec<int, 3>>& face) {
    constexpr std::size_t leaf = 8;
    MeshTree tree;
    List<PlacedFace> placed = place_faces(vert, face);
    struct Range {
        std::size_t begin, end;
    };
    List<Range> todo;
    if (!face.empty()) todo.push_back({0, face.size()});
    // ranges wait on a stack, left on top, so nodes come out depth first
    List<std::size_t> open, open_end;  // inner nodes whose subtree is not complete, and where their range ends
    while (!todo.empty()) {
        const Range r = todo.back();
        todo.pop_back();
        const std::size_t self = tree.node.size();
        tree.box.push_back(faces_box(vert, placed.data() + r.begin, placed.data() + r.end));
        const bool is_leaf = r.end - r.begin <= leaf;
        tree.node.push_back({{static_cast<int>(self + 1), static_cast<int>(r.begin), is_leaf ? static_cast<int>(r.end - r.begin) : 0}});
        if (is_leaf) {
            // every open subtree that ends with this range is complete
            while (!open.empty() && open_end.back() == r.end) {
                tree.node[open.back()][0] = static_cast<int>(self + 1);
                open.pop_back();
                open_end.pop_back();
            }
            continue;
        }
        open.push_back(self);
        open_end.push_back(r.end);
        const Vec6<float>& b = tree.box.back();
        int axis = 0;
        for (int k = 1; k < 3; ++k)
            if (b[3 + k] - b[k] > b[3 + axis] - b[axis]) axis = k;
        const std::size_t middle = r.begin + (r.end - r.begin) / 2;
        const auto at = [&](std::size_t i) { return placed.begin() + static_cast<std::ptrdiff_t>(i); };
        std::nth_element(at(r.begin), at(middle), at(r.end), [&](const auto& x, const auto& y) { return x.centre[axis] < y.centre[axis]; });
        todo.push_back({middle, r.end});
        todo.push_back({r.begin, middle});
    }
    tree.face.reserve(face.size());
    for (const PlacedFace& x : placed) tree.face.push_back(x.face);
    return tree;
}

}  // namespace mjx::inner::compiler
