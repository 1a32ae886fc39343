// The convex collider against numbers that MuJoCo 3.12 found for the same poses.
#include "collision/convex_reference.hpp"
#include "catch.hpp"
#include "collision/convex_scene.hpp"

#include <algorithm>

using namespace convex_scene;

namespace {

// The pose is that of a body; a mesh sits in it by its principal frame. Numbers that float can hold.
OwnGeom<double> placed(int geom, const double* pose) {
    const Mat3<double> body = to_mat3(normalize(Quat<double>{{pose[3], pose[4], pose[5], pose[6]}}));
    const Vec3<double> at{{pose[0], pose[1], pose[2]}};
    return in_float(shape_at(geom, body * model().geom_pos[geom] + at, body * to_mat3(model().geom_quat[geom])));
}

// The largest difference between a contact and the one of MuJoCo's that is closest to it. MuJoCo makes normals of unit length in the
// end; columns of a rounded matrix are not.
template <class S>
double difference(const ContactPoint<S>& c, const convex_reference::Row& row) {
    double best = 1e300;
    const Vec3<double> normal = normalize(Vec3<double>::from(c.normal));
    for (int i = 0; i < row.count; ++i) {
        double worst = std::abs(static_cast<double>(c.dist) - row.contact[i][0]);
        for (int k = 0; k < 3; ++k) {
            worst = std::max(worst, std::abs(static_cast<double>(c.pos[k]) - row.contact[i][1 + k]));
            worst = std::max(worst, std::abs(normal[k] - row.contact[i][4 + k]));
        }
        best = std::min(best, worst);
    }
    return best;
}

}  // namespace

// Nothing in the collider depends on the scalar but the numbers that go in and come out. Those that come out are below 1.
TEMPLATE_TEST_CASE("Convex pairs make MuJoCo's contacts", "[collision]", float, double) {
    using S = TestType;
    convex_scene::mujoco = 312;
    for (const auto& row : convex_reference::rows) {
        INFO("geoms " << row.geom1 << " and " << row.geom2 << ", margin " << row.margin << ", at " << row.pose[7] << " " << row.pose[8]);
        const auto found = collide(row.geom1, row.geom2, to<S>(placed(row.geom1, row.pose)), to<S>(placed(row.geom2, row.pose + 7)),
                                   row.margin);
        REQUIRE(found.count == row.count);
        for (int i = 0; i < found.count; ++i) CHECK(difference(found.point[i], row) < 1e-8 + static_cast<double>(epsilon_v<S>));
    }
}

// A prism of six corners on a box, by native 3.12 and by 3.14: before 3.13 MuJoCo took other corners for opposite ones.
TEST_CASE("Of a patch of six corners the four are MuJoCo's, in its order", "[collision]") {
    const char* text = R"(<mujoco><asset><mesh name="prism" vertex="
        0.07996 0.213733 -0.1 -0.06973 0.215905 -0.1 -0.276625 -0.054321 -0.1 -0.124958 -0.200158 -0.1 0.198386 -0.159988 -0.1 0.276929 -0.053368 -0.1
        0.07996 0.213733 0.1 -0.06973 0.215905 0.1 -0.276625 -0.054321 0.1 -0.124958 -0.200158 0.1 0.198386 -0.159988 0.1 0.276929 -0.053368 0.1"/></asset>
        <worldbody><geom type="box" size="1 1 .1" pos="0 0 -.1"/><geom type="mesh" mesh="prism" pos="0 0 .0995"/></worldbody></mujoco>)";
    const double old[4][2] = {{-0.06973, 0.215905}, {-0.276625, -0.054321}, {-0.124958, -0.200158}, {0.198386, -0.159988}};
    const double now[4][2] = {{-0.06973, 0.215905}, {-0.276625, -0.054321}, {-0.124958, -0.200158}, {0.276929, -0.053368}};
    for (const int version : {312, 313, 314}) {
        INFO(version);
        const Model<double> m = load_model_string(text, version);
        const auto at = [&](int geom) {
            return OwnGeom<double>{Vec3<double>::from(m.geom_pos[geom]), to_mat3(m.geom_quat[geom]), m.geom_size[geom]};
        };
        const OwnGeom<double> a = at(0), b = at(1);
        CollisionResult<double> out;
        collide_shapes(m, 0, 1, a.view(), b.view(), 0.0, true, out);
        REQUIRE(out.count == 4);
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 2; ++k) CHECK(std::abs(out.point[i].pos[k] - (version < 313 ? old : now)[i][k]) < 1e-7);
    }
}

// Patches of a gripper's pad (robotiq_85 with pads of silicone) on its finger, and the corners that native 3.12 makes contacts of.
TEST_CASE("Of quadrilaterals of one area MuJoCo 3.12 takes that which its rounding prefers", "[collision]") {
    const double patches[2][5][3] = {
        {{-0.0046685274744081452, 0.02322418145800648, 0.056257181976172708},
         {-0.0036582644303253063, 0.02322418145800648, 0.056257181976172708},
         {0.0047250903641788819, 0.023145709262561116, 0.055680362421314938},
         {0.0047149033670284366, 0.023130798005824231, 0.055570755388855544},
         {-0.0046054657560475384, 0.023130798005824231, 0.055570755388855544}},
        {{-0.0017950137802785252, -0.023103942563163723, 0.0551105405605129},
         {0.0047284086192942226, -0.023137293450756633, 0.055561990022417788},
         {0.00030616180540327109, -0.023154980839781229, 0.0558014128034581},
         {-0.0046716130542425252, -0.023154980839781229, 0.0558014128034581},
         {-0.0046715946918674213, -0.023103942563163723, 0.0551105405605129}},
    };
    const int expected[2][4] = {{0, 2, 3, 4}, {0, 0, 1, 3}};
    for (int k = 0; k < 2; ++k) {
        Polygon<double, 8> patch;
        for (const auto& p : patches[k]) patch.add({{p[0], p[1], p[2]}});
        int corner[4];
        largest_quad(patch, corner, {.crossed = true});
        std::sort(corner, corner + 4);
        for (int i = 0; i < 4; ++i) CHECK(corner[i] == expected[k][i]);
    }
}
