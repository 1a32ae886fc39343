// MuJoCo's plugins for signed distance fields in MJCF: what they become, and what is refused.
#include "catch.hpp"
#include "load.hpp"
#include "mjx/collision/collision.hpp"
#include "mjx/stage/kinematics.hpp"

#include <cmath>
#include <set>

using namespace mjx;

namespace {

std::string scene(const std::string& plugin, const std::string& config, const std::string& geom = "type='sdf' mesh='part'") {
    return "<mujoco><extension><plugin plugin='mujoco.sdf." + plugin + "'><instance name='i'>" + config +
           "</instance></plugin></extension><asset><mesh name='part' inertia='exact'><plugin instance='i'/></mesh></asset><worldbody>"
           "<geom type='plane' size='5 5 1'/><body><freejoint/><geom " + geom + "><plugin instance='i'/></geom></body></worldbody></mujoco>";
}

std::string error_of(const std::string& mjcf) {
    try {
        load_model_string(mjcf);
    } catch (const model_error& e) {
        return e.what();
    }
    return "";
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("A torus plugin is a torus: its mesh is closed and has its volume, box and moments, and stands on a plane", "[compile]") {
    const double ring = 0.3, tube = 0.1, pi = std::acos(-1.0), volume = 2 * pi * pi * ring * tube * tube;
    const auto m = load_model_string(scene("torus", "<config key='radius1' value='0.3'/><config key='radius2' value='0.1'/>"));
    CHECK(m.geom_sdf[1] == sdf_kind::torus);
    CHECK(m.geom_sdfparam[1][0] == ring);
    CHECK(m.geom_sdfparam[1][1] == tube);
    CHECK(m.body_mass[1] == Approx(1000 * volume).epsilon(1e-3));
    // the moments in descending order, the first about the axis
    CHECK(m.body_inertia[1][0] == Approx(1000 * volume * (ring * ring + 0.75 * tube * tube)).epsilon(1e-3));
    CHECK(m.body_inertia[1][1] == Approx(1000 * volume * (0.5 * ring * ring + 0.625 * tube * tube)).epsilon(1e-3));
    const double half[3] = {ring + tube, ring + tube, tube};
    for (int k = 0; k < 3; ++k) CHECK(m.geom_aabb[1][3 + k] == Approx(half[k]).epsilon(1e-3));

    std::multiset<std::pair<int, int>> edges;
    for (int f = 0; f < m.mesh_facenum[0]; ++f)
        for (int k = 0; k < 3; ++k) edges.emplace(m.mesh_face[f][k], m.mesh_face[f][(k + 1) % 3]);
    int open = 0;
    for (const auto& [a, b] : edges) open += edges.count({a, b}) != 1 || edges.count({b, a}) != 1;
    CHECK(open == 0);
    CHECK(m.mesh_facenum[0] == 2 * m.mesh_vertnum[0]);  // Euler: a torus has as many edges less faces as vertices

    Data<double, Model<double>> d(m);
    reset(m, d);
    d.qpos[2] = tube - 0.01;
    kinematics(m, d);
    collision(m, d);
    REQUIRE(d.ncon[0] >= 1);
    for (int i = 0; i < d.ncon[0]; ++i) {
        CHECK(d.contact[i].dist == Approx(-0.01).margin(1e-3));
        CHECK(d.contact[i].frame[2] == Approx(1));
        CHECK(std::hypot(d.contact[i].pos[0], d.contact[i].pos[1]) == Approx(ring).margin(0.03));
    }
}

TEST_CASE("Plugins take MuJoCo's defaults, and may be described in place", "[compile]") {
    const auto m = load_model_string(
        "<mujoco><asset><mesh name='part'><plugin plugin='mujoco.sdf.bolt'/></mesh></asset><worldbody><body><freejoint/>"
        "<geom type='sdf' mesh='part' contype='0' conaffinity='0'><plugin plugin='mujoco.sdf.nut'><config key='radius' value='.2'/></plugin>"
        "</geom></body></worldbody></mujoco>");
    CHECK(m.geom_sdf[0] == sdf_kind::nut);
    CHECK(m.geom_sdfparam[0][0] == 0.2);
    CHECK(m.geom_aabb[0][2] == Approx(-0.5).margin(0.01));  // that of the bolt
}

TEST_CASE("Plugins that cannot be are refused", "[compile]") {
    CHECK(contains(error_of(scene("sphere", "")), "plugin 'mujoco.sdf.sphere' is not supported"));
    CHECK(contains(error_of(scene("torus", "<config key='radius3' value='1'/>")), "has no parameter 'radius3'"));
    CHECK(contains(error_of(scene("torus", "<config key='radius1' value='wide'/>")), "expected a number"));
    CHECK(contains(error_of(scene("torus", "<config key='radius1' value='-1'/>")), "no size"));
    CHECK(contains(error_of(scene("torus", "", "type='sphere' size='1'")), "not of type 'sdf'"));
    CHECK(contains(error_of("<mujoco><asset><mesh name='a'><plugin instance='b'/></mesh></asset></mujoco>"), "unknown instance 'b'"));
    CHECK(contains(error_of("<mujoco><asset><mesh name='a' scale='2 2 2'><plugin plugin='mujoco.sdf.torus'/></mesh></asset></mujoco>"),
                   "cannot be scaled"));
}
