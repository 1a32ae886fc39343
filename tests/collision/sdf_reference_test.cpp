// Signed distance fields against what mjx did not write: MuJoCo's contacts of its own fields, closed forms of overlapping shapes, and
// the exact distance to a mesh's triangles.
#include "catch.hpp"
#include "collision/sdf_reference.hpp"
#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/convex.hpp"
#include "mjx/collision/ray.hpp"

using namespace shapes;

namespace {

// The fields' parameters that MuJoCo takes by default, and what each is searched with.
Vec6<double> parameters(int kind) {
    switch (kind) {
        case sdf_kind::torus: return {{0.35, 0.15}};
        case sdf_kind::bowl: return {{0.4, 1, 0.02}};
        case sdf_kind::gear: return {{0, 2.8, 25, 0.2, -1}};
        default: return {{0.26}};
    }
}

int add_field(Model<double>& m, int kind, const Vec6<double>& params, const Vec6<double>& box) {
    m.geom_type.push_back(shape::sdf);
    m.geom_sdf.push_back(kind);
    m.geom_sdfparam.push_back(params);
    m.geom_dataid.push_back(-1);
    m.geom_size.push_back({{box[3], box[4], box[5]}});
    m.geom_rbound.push_back(std::sqrt(box[3] * box[3] + box[4] * box[4] + box[5] * box[5]));
    m.geom_aabb.push_back(box);
    return m.geom_type.size() - 1;
}

// One geom of every shape that has a field.
Model<double> primitives() {
    return load_model_string(R"(
        <mujoco>
          <option sdf_iterations="10" sdf_initpoints="4"/>
          <worldbody>
            <geom type="sphere" size=".2"/>
            <geom type="capsule" size=".12 .3"/>
            <geom type="ellipsoid" size=".4 .25 .2"/>
            <geom type="cylinder" size=".2 .3"/>
            <geom type="box" size=".3 .2 .25"/>
          </worldbody>
        </mujoco>)");
}

OwnShape<double> placed(const Model<double>& m, int geom, const double* pose) {
    return {{{pose[0], pose[1], pose[2]}}, to_mat3(normalize(Quat<double>{{pose[3], pose[4], pose[5], pose[6]}})), m.geom_size[geom]};
}

CollisionResult<double, max_points> collide_at(const Model<double>& m, int g1, int g2, const OwnShape<double>& a, const OwnShape<double>& b) {
    CollisionResult<double, max_points> out;
    sdf_collide(m, g1, g2, a.view(), b.view(), 0.0, true, out);
    return out;
}

// The nearest point of a triangle's surface by its plane and its three edges.
double triangle_distance(const Vec3<double>& p, const Vec3<double> (&v)[3]) {
    const Vec3<double> n = normalize(cross(Vec3<double>(v[1] - v[0]), Vec3<double>(v[2] - v[0])));
    bool above = true;
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        const Vec3<double> edge = v[(i + 1) % 3] - v[i], from = p - v[i];
        above = above && dot(cross(n, edge), from) >= 0;
        const double t = std::clamp(dot(from, edge) / dot(edge, edge), 0.0, 1.0);
        best = std::min(best, norm(Vec3<double>(from - edge * t)));
    }
    return above ? std::min(best, std::abs(dot(n, Vec3<double>(p - v[0])))) : best;
}

// The solid angle of a triangle (van Oosterom and Strackee 1983); over a closed surface it sums to 4 pi inside and 0 outside.
double solid_angle(const Vec3<double>& p, const Vec3<double> (&v)[3]) {
    const Vec3<double> a = v[0] - p, b = v[1] - p, c = v[2] - p;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    return 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

double mesh_distance(const Model<double>& m, int mesh, const Vec3<double>& p) {
    double distance = 1e9, angle = 0;
    for (int f = 0; f < m.mesh_facenum[mesh]; ++f) {
        Vec3<double> v[3];
        for (int k = 0; k < 3; ++k) v[k] = plain_vec<double>(m.mesh_vert[m.mesh_vertadr[mesh] + m.mesh_face[m.mesh_faceadr[mesh] + f][k]]);
        distance = std::min(distance, triangle_distance(p, v));
        angle += solid_angle(p, v);
    }
    return angle > 6 ? -distance : distance;
}

}  // namespace

TEST_CASE("The fields of MuJoCo's plugins have MuJoCo's contacts with every shape", "[collision]") {
    auto m = primitives();
    for (const auto& row : sdf_reference::rows) {
        INFO("field " << row.field << ", shape " << row.other);
        Vec6<double> box;
        for (int k = 0; k < 6; ++k) box[k] = row.box[k];
        const int field = add_field(m, row.field, parameters(row.field), box);
        int other = add_field(m, row.field, parameters(row.field), box);
        for (int g = 0; g < 5; ++g) other = m.geom_type[g] == row.other ? g : other;
        const auto found = collide_at(m, other, field, placed(m, other, row.pose), placed(m, field, row.pose + 7));
        REQUIRE(found.count == row.count);
        // MuJoCo differentiates all but the torus by differences of 1e-8
        const double tolerance = row.field == sdf_kind::torus ? 1e-8 : 2e-6;
        for (int i = 0; i < found.count; ++i) {
            CHECK(std::abs(found.point[i].dist - row.contact[i][0]) < tolerance);
            for (int k = 0; k < 3; ++k) {
                CHECK(std::abs(found.point[i].pos[k] - row.contact[i][1 + k]) < tolerance);
                CHECK(std::abs(found.point[i].normal[k] - row.contact[i][4 + k]) < tolerance);
            }
        }
    }
}

// dist is the larger of the two fields, so half the depth where the search comes to the middle of the overlap; MuJoCo's descent may
// stop short of it. Near the edges of a box its normal is that of the surface on which both fields are equal.
TEST_CASE("Overlapping shapes as fields touch along their normal, half as deep as the shapes at most", "[collision]") {
    auto m = primitives();
    m.opt.sdf_initpoints = 40;
    m.opt.sdf_iterations = 50;
    const int ball = add_field(m, sdf_kind::sphere, {{0.3}}, {{0, 0, 0, 0.3, 0.3, 0.3}});
    const int rod = add_field(m, sdf_kind::capsule, {{0.1, 0.4}}, {{0, 0, 0, 0.1, 0.1, 0.5}});
    const int brick = add_field(m, sdf_kind::box, {{0.3, 0.2, 0.4}}, {{0, 0, 0, 0.3, 0.2, 0.4}});
    struct Case {
        int field;
        Pair pair;
        Vec3<double> size;
    };
    const Case cases[] = {{ball, {shape::sphere, shape::sphere, "sphere-sphere"}, {{0.3, 0, 0}}},
                          {rod, {shape::sphere, shape::capsule, "sphere-capsule"}, {{0.1, 0.4, 0}}},
                          {brick, {shape::sphere, shape::box, "sphere-box"}, {{0.3, 0.2, 0.4}}}};
    Random random(21);
    for (const Case& c : cases) {
        INFO(c.pair.name);
        int overlaps = 0;
        double too_deep = 0, too_shallow = 0, turned = 0;
        for (int n = 0; n < 600; ++n) {
            const OwnShape<double> a{vector(random, 0.5), rotation(random), {{0.2, 0, 0}}};
            OwnShape<double> b{vector(random, 0.2), rotation(random), c.size};
            const auto exact = collide(c.pair, a, b, 0);
            if (exact.count == 0 || exact.point[0].dist < -0.05 || exact.point[0].dist > -1e-3) continue;
            const double depth = -exact.point[0].dist;
            b.size = m.geom_size[c.field];
            const auto found = collide_at(m, 0, c.field, a, b);
            REQUIRE(found.count > 0);
            ++overlaps;
            double deepest = 0;
            int best = 0;
            for (int i = 0; i < found.count; ++i) {
                if (found.point[i].dist < deepest) best = i;
                deepest = std::min(deepest, found.point[i].dist);
            }
            too_deep = std::max(too_deep, -deepest - depth / 2);
            too_shallow = std::max(too_shallow, (depth / 2 + deepest) / depth);
            turned = std::max(turned, norm(Vec3<double>(found.point[best].normal - exact.point[0].normal)));
        }
        CHECK(overlaps > 20);
        CHECK(too_deep < 1e-12);
        CHECK(too_shallow < 0.4);
        CHECK(turned < (c.field == brick ? 0.8 : 0.3));
    }
}

TEST_CASE("A mesh as a field is as far away as its nearest triangle", "[collision]") {
    const auto m = load_model_string(R"(
        <mujoco>
          <asset><mesh name="ring" builtin="supertorus" params="14 0.3 1 1" scale=".3 .3 .3"/></asset>
          <worldbody><geom type="sdf" mesh="ring"/></worldbody>
        </mujoco>)");
    const GridField<Model<double>> grid{m, 0};
    const auto& box = m.mesh_gridbox[0];
    const auto& n = m.mesh_gridnum[0];
    Random random(5);
    double worst_node = 0, worst = 0;
    int inside = 0;
    for (int i = 0; i < 400; ++i) {
        Vec3<double> node, p;
        for (int k = 0; k < 3; ++k) {
            node[k] = box[k] + box[3 + k] * std::floor(uniform(random, 0, n[k]));
            p[k] = uniform(random, box[k], box[k] + box[3 + k] * (n[k] - 1));
        }
        worst_node = std::max(worst_node, std::abs(grid(node) - mesh_distance(m, 0, node)));
        const double exact = mesh_distance(m, 0, p);
        worst = std::max(worst, std::abs(grid(p) - exact));
        inside += exact < 0;
    }
    CHECK(inside > 20);
    CHECK(worst_node < 1e-6);
    CHECK(worst < 0.6 * box[3]);  // in voxels: interpolation cuts the ridges of the distance, by √3/2 at most, as no distance changes faster than its point
}
