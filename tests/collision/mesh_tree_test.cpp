// The tree over a mesh's triangles: whatever goes through it finds what a look at every triangle finds.
#include "catch.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/convex.hpp"
#include "mjx/collision/ray.hpp"

using namespace shapes;

namespace {

enum : int { ground, first_shape, last_shape = 6, field };

// A rough terrain of 2 x 30 x 30 triangles with a floor below it, and geoms of every convex type; a torus as a field.
Model<double> scene() {
    Random random(30);
    constexpr int n = 31;
    std::string vertices, faces;
    for (int layer = 0; layer < 2; ++layer)
        for (int i = 0; i < n * n; ++i)
            vertices += std::to_string(i % n * 0.1) + " " + std::to_string(i / n * 0.1) + " " +
                        std::to_string(layer == 0 ? uniform(random, 0, 0.1) : -0.5) + " ";
    const auto face = [&](int a, int b, int c) { faces += std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + " "; };
    for (int r = 0; r + 1 < n; ++r)
        for (int c = 0; c + 1 < n; ++c) {
            const int k = r * n + c, low = k + n * n;
            face(k, k + 1, k + n + 1);
            face(k, k + n + 1, k + n);
            face(low, low + n + 1, low + 1);
            face(low, low + n, low + n + 1);
        }
    auto m = load_model_string(
        "<mujoco><option sdf_initpoints='2'/><asset><mesh name='terrain' inertia='shell' vertex='" + vertices + "' face='" + faces +
        "'/><mesh name='stone' vertex='-.1 0 0 .1 0 0 0 .12 0 0 0 .1 0 .05 -.09'/></asset><worldbody>"
        "<geom type='mesh' mesh='terrain'/><geom type='sphere' size='.08'/><geom type='capsule' size='.05 .1'/>"
        "<geom type='ellipsoid' size='.05 .1 .07'/><geom type='cylinder' size='.07 .08'/><geom type='box' size='.06 .08 .1'/>"
        "<geom type='mesh' mesh='stone'/></worldbody></mujoco>");
    m.geom_trimesh[ground] = 1;
    m.geom_type.push_back(shape::sdf);
    m.geom_sdf.push_back(sdf_kind::torus);
    m.geom_sdfparam.push_back({{0.12, 0.04}});
    m.geom_size.push_back({{0.16, 0.16, 0.04}});
    m.geom_dataid.push_back(-1);
    return m;
}

// The same model whose tree is one node with all faces.
Model<double> without_tree(const Model<double>& m) {
    auto flat = m;
    const int mesh = m.geom_dataid[ground], node = m.mesh_bvhadr[mesh];
    flat.mesh_bvhnum[mesh] = 1;
    flat.mesh_bvhnode[node] = {{1, 0, m.mesh_facenum[mesh]}};
    flat.mesh_bvhbox[node] = {{-1e6f, -1e6f, -1e6f, 1e6f, 1e6f, 1e6f}};
    return flat;
}

OwnGeom<double> terrain(const Model<double>& m) { return {m.geom_pos[ground], to_mat3(m.geom_quat[ground]), m.geom_size[ground]}; }

bool same(const CollisionResult<double>& a, const CollisionResult<double>& b) {
    if (a.count != b.count) return false;
    for (int i = 0; i < a.count; ++i) {
        double error = std::abs(a.point[i].dist - b.point[i].dist);
        error = std::max(error, norm(Vec3<double>(a.point[i].pos - b.point[i].pos)));
        error = std::max(error, norm(Vec3<double>(a.point[i].normal - b.point[i].normal)));
        if (error > 1e-12) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("Contacts and rays through the tree of triangles are those of all triangles", "[collision]") {
    const auto m = scene();
    const auto flat = without_tree(m);
    const auto s = terrain(m);
    REQUIRE(m.mesh_bvhnum[m.geom_dataid[ground]] > 100);
    Random random(31);
    int contacts = 0, hits = 0, differ = 0;
    for (int i = 0; i < 40; ++i) {
        const auto turned = rotation(random);
        const Vec3<double> at{{uniform(random, 0, 3), uniform(random, 0, 3), uniform(random, -0.05, 0.2)}};
        for (int g = first_shape; g <= field; ++g) {
            const OwnGeom<double> shape_at{at, turned, m.geom_size[g]};
            CollisionResult<double> one, all;
            if (g == field) {
                collide_shapes(m, ground, g, s.view(), shape_at.view(), 0.0, true, one);
                collide_shapes(flat, ground, g, s.view(), shape_at.view(), 0.0, true, all);
            } else {
                const bool mesh_first = g == last_shape;
                const int g1 = mesh_first ? int(ground) : g, g2 = mesh_first ? g : int(ground);
                const auto &a = mesh_first ? s : shape_at, &b = mesh_first ? shape_at : s;
                collide_shapes(m, g1, g2, a.view(), b.view(), 0.01, true, one);
                collide_shapes(flat, g1, g2, a.view(), b.view(), 0.01, true, all);
            }
            contacts += all.count;
            differ += !same(one, all);
        }
        for (int k = 0; k < 25; ++k) {
            const Vec3<double> pnt = at + vector(random, 1), vec = vector(random, 1);
            const auto one = ray_geom(m, ground, s.view(), pnt, vec), all = ray_geom(flat, ground, s.view(), pnt, vec);
            hits += all.x >= 0;
            differ += one.x != all.x;
        }
    }
    CHECK(contacts > 200);
    CHECK(hits > 200);
    CHECK(differ == 0);
}
