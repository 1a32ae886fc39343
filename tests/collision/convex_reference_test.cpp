// The convex collider against numbers that MuJoCo 3.12 found for the same poses.
#include "catch.hpp"
#include "collision/convex_reference.hpp"
#include "collision/convex_scene.hpp"

using namespace convex_scene;

namespace {

OwnShape<double> placed(int geom, const double* pose) {
    // the pose is that of a body; a mesh sits in it by its principal frame
    const Mat3<double> body = to_mat3(normalize(Quat<double>{{pose[3], pose[4], pose[5], pose[6]}}));
    const Vec3<double> at{{pose[0], pose[1], pose[2]}};
    return shape_at(geom, body * model().geom_pos[geom] + at, body * to_mat3(model().geom_quat[geom]));
}

// The largest difference between a contact and the one of MuJoCo's that is closest to it.
template <class S>
double difference(const ContactPoint<S>& c, const convex_reference::Row& row) {
    double best = 1e300;
    for (int i = 0; i < row.count; ++i) {
        double worst = std::abs(static_cast<double>(c.dist) - row.contact[i][0]);
        for (int k = 0; k < 3; ++k) {
            worst = std::max(worst, std::abs(static_cast<double>(c.pos[k]) - row.contact[i][1 + k]));
            worst = std::max(worst, std::abs(static_cast<double>(c.normal[k]) - row.contact[i][4 + k]));
        }
        best = std::min(best, worst);
    }
    return best;
}

}  // namespace

TEST_CASE("Convex pairs make MuJoCo's contacts", "[collision]") {
    for (const auto& row : convex_reference::rows) {
        INFO("geoms " << row.geom1 << " and " << row.geom2 << ", margin " << row.margin << ", at " << row.pose[7] << " " << row.pose[8]);
        const auto found = collide(row.geom1, row.geom2, placed(row.geom1, row.pose), placed(row.geom2, row.pose + 7), row.margin);
        REQUIRE(found.count == row.count);
        for (int i = 0; i < found.count; ++i) CHECK(difference(found.point[i], row) < 1e-8);
    }
}

// A prism's corners have no numbers in MuJoCo, so that EPA takes the second visit to a corner of a box or mesh above a height field
// for a repetition and stops. Where it stops depends on the last bits of the pose.
TEST_CASE("Convex pairs in float are as deep as MuJoCo's", "[collision]") {
    for (const auto& row : convex_reference::rows) {
        INFO("geoms " << row.geom1 << " and " << row.geom2 << ", margin " << row.margin << ", at " << row.pose[7] << " " << row.pose[8]);
        const auto found = collide(row.geom1, row.geom2, to<float>(placed(row.geom1, row.pose)), to<float>(placed(row.geom2, row.pose + 7)), row.margin);
        REQUIRE(found.count > 0);
        double deepest = 1e300;
        for (int i = 0; i < row.count; ++i) deepest = std::min(deepest, row.contact[i][0]);
        const bool stops_early = row.geom1 == hfield && row.geom2 >= box;
        CHECK(std::abs(static_cast<double>(depth(found, 1)) - deepest) < (stops_early ? 1e-3 : 2e-6));
    }
}
