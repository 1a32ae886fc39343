// MuJoCo's plugins for signed distance fields in MJCF: what they become, and what is refused.
#include "catch.hpp"
#include "load.hpp"
#include "mjx/collision/collision.hpp"
#include "mjx/data.hpp"
#include "mjx/stage/kinematics.hpp"

#include <cmath>
#include <set>

using namespace mjx;

namespace {

std::string scene(const std::string& plugin, const std::string& config, const std::string& geom = "type='sdf' mesh='part'") {
    return "<mujoco><extension><plugin plugin='mujoco.sdf." + plugin + "'><instance name='i'>" + config +
           "</instance></plugin></extension><asset><mesh name='part' inertia='exact'><plugin instance='i'/></mesh></asset><worldbody>"
           "<geom type='plane' size='5 5 1'/><body><freejoint/><geom " +
           geom + "><plugin instance='i'/></geom></body></worldbody></mujoco>";
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
    REQUIRE(d.ncon >= 1);
    for (int i = 0; i < d.ncon; ++i) {
        CHECK(d.contact[i].dist == Approx(-0.01).margin(1e-3));
        CHECK(d.contact[i].frame[2] == Approx(1));
        CHECK(std::hypot(d.contact[i].pos[0], d.contact[i].pos[1]) == Approx(ring).margin(0.03));
    }
}

TEST_CASE("The meshes of MuJoCo's plugins have the masses and moments that MuJoCo 3.12 gives them", "[compile]") {
    struct Row {
        const char *plugin, *inertia;
        double mass, moment[3];
    };
    const Row rows[] = {
        {"torus", "legacy", 195.621707793422, {22.8232074018793, 12.4075926074206, 12.4070824442692}},
        {"torus", "exact", 155.36584591083, {21.6508930600806, 11.6992181943567, 11.6986765126068}},
        {"bowl", "legacy", 5507.29800431387, {2564.95279298107, 1830.44723130091, 1830.4144591024}},
        {"bowl", "exact", 354.796666391751, {265.30440594801, 191.619770451261, 191.594309666402}},
        {"gear", "legacy", 1359.44241224675, {1299.62865293475, 654.68889879351, 652.179683547191}},
        {"gear", "exact", 732.664755516471, {1010.46652071771, 507.701240142751, 507.583322940644}},
        {"gear", "shell", 11424.5667899643, {16843.681839096, 8506.64599437357, 8505.12202672175}},
        {"bolt", "legacy", 572.925966409685, {70.5348874832508, 70.5197807357565, 64.7838361454428}},
        {"bolt", "exact", 552.085901129562, {66.8944273315637, 66.8803873866587, 63.80341097905}},
        {"nut", "legacy", 461.559243214604, {61.4559820021049, 38.6967587729841, 38.6818119449973}},
        {"nut", "exact", 303.931759804877, {53.9414525504207, 33.141999173335, 33.1312145785823}},
    };
    for (const Row& row : rows) {
        INFO(row.plugin << ", " << row.inertia);
        const auto m = load_model_string(std::string("<mujoco><asset><mesh name='part' inertia='") + row.inertia +
                                         "'><plugin plugin='mujoco.sdf." + row.plugin +
                                         "'/></mesh></asset><worldbody><body><freejoint/><geom type='sdf' mesh='part'>" +
                                         "<plugin plugin='mujoco.sdf." + row.plugin + "'/></geom></body></worldbody></mujoco>");
        CHECK(m.body_mass[1] == Approx(row.mass).epsilon(1e-12));
        for (int k = 0; k < 3; ++k) CHECK(m.body_inertia[1][k] == Approx(row.moment[k]).epsilon(1e-12));
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
    CHECK(contains(error_of(scene("torus", "<config key='radius1' value='wide'/>")), "'wide' is not a finite number"));
    CHECK(contains(error_of(scene("torus", "<config key='radius1' value='-1'/>")), "no size"));
    CHECK(contains(error_of(scene("torus", "", "type='sphere' size='1'")), "not of type 'sdf'"));
    CHECK(contains(error_of("<mujoco><asset><mesh name='a'><plugin instance='b'/></mesh></asset></mujoco>"), "unknown instance 'b'"));
    CHECK(contains(error_of("<mujoco><asset><mesh name='a' scale='2 2 2'><plugin plugin='mujoco.sdf.torus'/></mesh></asset></mujoco>"),
                   "cannot be scaled"));
}
