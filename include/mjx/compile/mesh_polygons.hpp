// hull_polygons: the faces of a convex hull, coplanar triangles merged. Multi-contact clips these against each other.
//
// Triangles whose normals round to the same polar angles (0.01 rad) belong together; where such triangles do not touch they form
// several polygons. A polygon lists its vertices counterclockwise seen from outside. These are MuJoCo's rules.
#pragma once

#include "mjx/compile/inertia.hpp"
#include "mjx/model/list.hpp"

#include <unordered_map>
#include <utility>

namespace mjx::inner::compiler {

// The border of triangles in one plane, as directed edges. Edges of triangles that touch share an island.
class PolygonBorder {
  public:
    void insert(int a, int b, int c) {
        const int corner[4] = {a, b, c, a};
        bool fresh[3];
        int island = -1;
        for (int i = 0; i < 3; ++i) fresh[i] = !detach(corner[i + 1], corner[i], island);
        if (island < 0) island = islands_++;
        for (int i = 0; i < 3; ++i)
            if (fresh[i]) edges_.push_back({corner[i], corner[i + 1], island});
    }

    // The closed paths, one for each island.
    List<List<int>> paths() const {
        List<List<int>> all;
        if (edges_.size() == 3) return {{edges_[0].from, edges_[1].from, edges_[2].from}};
        for (int island = 0; island < islands_; ++island) {
            List<int> path;
            for (const Edge& e : edges_)
                if (e.island == island) {
                    path = {e.from, e.to};
                    break;
                }
            if (!path.empty() && follow(path, island) && path.size() >= 3) all.push_back(std::move(path));
        }
        return all;
    }

  private:
    struct Edge {
        int from, to, island;
    };
    List<Edge> edges_{};
    int islands_ = 0;

    // Removes the edge if it is there; its island joins `island`.
    bool detach(int from, int to, int& island) {
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if (edges_[i].from != from || edges_[i].to != to) continue;
            const int other = edges_[i].island;
            if (island < 0) {
                island = other;
            } else if (other != island) {
                const int kept = std::min(island, other), gone = std::max(island, other);
                for (Edge& e : edges_) e.island = e.island == gone ? kept : e.island - (e.island > gone);
                island = kept;
                --islands_;
            }
            edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        return false;
    }

    // Extends the path edge by edge until it is back at its start.
    bool follow(List<int>& path, int island) const {
        int next = path.back();
        for (std::size_t step = 0; step < edges_.size(); ++step)
            for (std::size_t k = 1; k < edges_.size(); ++k) {
                if (edges_[k].island != island || edges_[k].from != next) continue;
                next = edges_[k].to;
                if (next == path[0]) return true;
                path.push_back(next);
                break;
            }
        return false;
    }
};

// The rounded azimuth and polar angle of a triangle's normal; false for a triangle without area.
inline bool polygon_key(const Vec3d& a, const Vec3d& b, const Vec3d& c, std::pair<double, double>& key) {
    constexpr double step = 0.01;
    Vec3d normal = cross(Vec3d(b - a), Vec3d(c - a));
    const double length = norm(normal);
    if (length < minval) return false;
    for (int i = 0; i < 3; ++i) normal[i] = normal[i] / length + 0.0;  // + 0 turns -0 into 0, which atan2 tells apart
    key = {0, 0};
    if (std::abs(normal[2]) > 1.0 - 1e-7) {
        if (normal[2] < 0) key.second = std::round(pi / step);
    } else {
        key = {std::round(std::atan2(normal[1], normal[0]) / step), std::round(std::acos(normal[2]) / step)};
    }
    return true;
}

struct PolygonKeyHash {
    std::size_t operator()(const std::pair<double, double>& key) const {
        return std::hash<double>()(key.first) ^ std::hash<double>()(key.second);
    }
};

// `face` holds the corners of the hull's triangles. The order of the polygons decides between equally good faces in multi-contact;
// it is that of a hash table, as in MuJoCo, so that both choose alike.
inline List<List<int>> hull_polygons(const List<Vec3d>& vert, const int* face, int nface) {
    std::unordered_map<std::pair<double, double>, PolygonBorder, PolygonKeyHash> borders;
    for (int i = 0; i < nface; ++i) {
        const int a = face[3 * i], b = face[3 * i + 1], c = face[3 * i + 2];
        std::pair<double, double> key;
        if (polygon_key(vert[static_cast<std::size_t>(a)], vert[static_cast<std::size_t>(b)], vert[static_cast<std::size_t>(c)], key))
            borders[key].insert(a, b, c);
    }
    List<List<int>> polygons;
    for (const auto& [key, border] : borders)
        for (auto& path : border.paths()) polygons.push_back(std::move(path));
    return polygons;
}

}  // namespace mjx::inner::compiler
