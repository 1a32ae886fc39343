// Processing of meshes: volumes and inertias known in closed form, the structure of hulls, and MuJoCo's numbers.
#include "catch.hpp"
#include "mjx/compile/mesh_model.hpp"

#include <numeric>
#include <random>

using namespace mjx;
using compiler::process_mesh;
using compiler::ProcessedMesh;

namespace {

SpecMesh box_mesh() {
    SpecMesh spec;
    spec.name = "box";
    spec.where = "test";
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k) spec.vert.push_back(i >> k & 1 ? 1.0f : -1.0f);
    spec.scale = {0.1, 0.2, 0.3};
    spec.refpos = {1, 2, 3};
    return spec;
}

std::string message_of(const SpecMesh& spec) {
    try {
        process_mesh(spec, true);
    } catch (const model_error& e) {
        return e.what();
    }
    return {};
}

}  // namespace

TEST_CASE("A mesh of a box has the volume, centre and inertia of the box", "[compile]") {
    for (const int rule : {mesh_inertia::convex, mesh_inertia::exact, mesh_inertia::legacy}) {
        SpecMesh spec = box_mesh();
        spec.inertia = rule;
        const ProcessedMesh mesh = process_mesh(spec, true);
        CHECK(mesh.volume == Approx(8 * 0.1 * 0.2 * 0.3));
        // refpos is taken off before the scale is applied
        CHECK(mesh.pos[0] == Approx(-0.1));
        CHECK(mesh.pos[1] == Approx(-0.4));
        CHECK(mesh.pos[2] == Approx(-0.9));
        // moments decrease along the axes, so the longest side is last
        CHECK(mesh.box[0] == Approx(0.1));
        CHECK(mesh.box[1] == Approx(0.2));
        CHECK(mesh.box[2] == Approx(0.3));
        CHECK(mesh.inertia(2.0)[0] == Approx(2.0 / 3 * (0.04 + 0.09)));
        CHECK(mesh.rbound() == Approx(std::sqrt(0.14)));
    }
}

TEST_CASE("A shell has its mass on its faces", "[compile]") {
    SpecMesh spec = box_mesh();
    spec.scale = {0.5, 0.5, 0.5};
    spec.inertia = mesh_inertia::shell;
    const ProcessedMesh mesh = process_mesh(spec, false);
    CHECK(mesh.volume == Approx(6));  // area
    // a cubic shell of side a and mass m: 5/18 m a²
    CHECK(mesh.inertia(1.0)[0] == Approx(5.0 / 18));
}

TEST_CASE("The hull of random points is a closed surface with consistent edges", "[compile]") {
    std::mt19937 random(2);
    std::normal_distribution<float> normal;
    SpecMesh spec;
    spec.name = "cloud";
    for (int i = 0; i < 300; ++i) spec.vert.push_back(normal(random));
    const ProcessedMesh mesh = process_mesh(spec, true);
    const auto at = [&](int i) { return mesh.graph[static_cast<std::size_t>(i)]; };
    const int numvert = at(0), numface = at(1);
    CHECK(numvert - 3 * numface / 2 + numface == 2);  // Euler
    // each edge is listed from both ends
    int edges = 0;
    const auto neighbours = [&](int v, int w) {
        for (int e = 2 + 2 * numvert + at(2 + v); at(e) >= 0; ++e)
            if (at(e) == w) return true;
        return false;
    };
    for (int v = 0; v < numvert; ++v)
        for (int e = 2 + 2 * numvert + at(2 + v); at(e) >= 0; ++e, ++edges) CHECK(neighbours(at(e), v));
    CHECK(edges == 3 * numface);
    // every vertex is inside or on every polygon
    double outside = 0;
    for (std::size_t p = 0; p < mesh.polygons.size(); ++p)
        for (const auto& v : mesh.vert) {
            const auto& first = mesh.vert[static_cast<std::size_t>(mesh.polygons[p][0])];
            outside = std::max(outside, dot(mesh.polygon_normal[p], Vec3d::from(v) - Vec3d::from(first)));
        }
    CHECK(outside < 1e-5);
    std::size_t corners = 0;
    for (const auto& p : mesh.polygons) corners += p.size();
    CHECK(corners == std::accumulate(mesh.polygon_map.begin(), mesh.polygon_map.end(), std::size_t(0),
                                     [](std::size_t n, const auto& list) { return n + list.size(); }));
}

TEST_CASE("Coplanar triangles of a hull become one polygon", "[compile]") {
    const ProcessedMesh mesh = process_mesh(box_mesh(), true);
    CHECK(mesh.polygons.size() == 6);
    for (const auto& p : mesh.polygons) CHECK(p.size() == 4);
}

TEST_CASE("A limited hull has no more vertices than asked for", "[compile]") {
    SpecMesh spec;
    spec.builtin = "sphere";
    spec.params = {3};
    spec.maxhullvert = 20;
    CHECK(process_mesh(spec, true).graph[0] == 20);
    spec.maxhullvert = 3;
    CHECK(message_of(spec).find("maxhullvert") != std::string::npos);
}

TEST_CASE("The tree over a mesh's faces holds each face once and its boxes hold their faces", "[compile]") {
    SpecMesh spec;
    spec.builtin = "supertorus";
    spec.params = {20, 0.3, 1, 1};
    const ProcessedMesh mesh = process_mesh(spec, true);
    Model<double> m;
    compiler::append_mesh(m, mesh, spec);
    std::vector<int> seen(static_cast<std::size_t>(m.mesh_facenum[0]), 0);
    for (int i = 0; i < m.mesh_bvhnum[0]; ++i) {
        const auto& node = m.mesh_bvhnode[i];
        CHECK(node[0] > i);
        CHECK(node[0] <= m.mesh_bvhnum[0]);
        for (int f = node[1]; f < node[1] + node[2]; ++f) {
            ++seen[static_cast<std::size_t>(f)];
            for (int c = 0; c < 3; ++c)
                for (int k = 0; k < 3; ++k) {
                    const float x = m.mesh_vert[m.mesh_face[f][c]][k];
                    CHECK((m.mesh_bvhbox[i][k] <= x && x <= m.mesh_bvhbox[i][3 + k]));
                }
        }
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == m.mesh_facenum[0]);
}

TEST_CASE("Primitives are fitted to a mesh by its inertia or by its bounds", "[compile]") {
    const ProcessedMesh mesh = process_mesh(box_mesh(), true);
    CHECK(compiler::fit_to_mesh(mesh, shape::box, false, 2, "").size[2] == Approx(0.6));
    CHECK(compiler::fit_to_mesh(mesh, shape::sphere, false, 1, "").size[0] == Approx(0.2));
    CHECK(compiler::fit_to_mesh(mesh, shape::sphere, true, 1, "").size[0] == Approx(0.3));
    CHECK(compiler::fit_to_mesh(mesh, shape::capsule, true, 1, "").size[1] == Approx(0.1));
    CHECK_THROWS_AS(compiler::fit_to_mesh(mesh, shape::plane, true, 1, ""), model_error);
}

TEST_CASE("Meshes without a volume are refused by name", "[compile]") {
    SpecMesh spec = box_mesh();
    CHECK(message_of(spec).empty());
    spec.vert.resize(9);
    CHECK(message_of(spec) == "test: mesh 'box': needs at least 4 vertices");
    spec.vert = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    CHECK(message_of(spec).find("in one plane") != std::string::npos);
    spec.vert = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
    CHECK(message_of(spec).find("on one line") != std::string::npos);
    spec.vert = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    CHECK(message_of(spec).find("coincide") != std::string::npos);
    spec = box_mesh();
    spec.face = {0, 1, 9};
    CHECK(message_of(spec).find("vertex 9") != std::string::npos);
    spec.face = {};
    spec.scale[1] = 0;
    CHECK(message_of(spec).find("scale") != std::string::npos);
    spec = box_mesh();
    spec.builtin = "teapot";
    spec.vert.clear();
    CHECK(message_of(spec).find("unknown") != std::string::npos);
}
