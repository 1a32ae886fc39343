// A model written in C++ from headers of the porch alone, with every kind of element, part by part: numbers follow by hand.
#include "mjx/spec.hpp"
#include "mjx/integrators.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <string>

namespace {

constexpr double quarter = 1.57079632679489661923;

// A leg of 2 kg and 0.4 m that swings about y, with a foot of 0.5 kg that touches what a pair says alone.
mjx::SpecBody& add_leg(mjx::SpecBody& torso, const std::string& side, double y) {
    mjx::SpecBody& leg = torso.add_body({.name = side + "_leg", .pos = {0, y, 0}});
    mjx::SpecJoint& hip = leg.add_joint({.name = side, .axis = {0, 1, 0}, .range = {-2, 2}});
    hip.limited = mjx::Tristate::yes;
    mjx::SpecGeom shank{.type = mjx::shape::capsule, .size = {0.03}, .fromto = {0, 0, 0, 0, 0, -0.4}, .contype = 0, .conaffinity = 0};
    shank.mass = 2;
    leg.add_geom(shank);
    leg.add_geom({.name = side + "_foot", .pos = {0, 0, -0.4}, .size = {0.1}, .contype = 0, .conaffinity = 0, .mass = 0.5});
    leg.add_site({.name = side + "_toe", .pos = {0, 0, -0.5}});
    return leg;
}

void add_assets(mjx::Spec& spec) {
    spec.add_hfield({.name = "slope", .nrow = 2, .ncol = 2, .size = {2, 2, 0.5, 0.1}, .elevation = {0, 0, 1, 1}});
    mjx::SpecMesh& cube = spec.add_mesh({.name = "cube"});
    for (const float x : {-0.1f, 0.1f})
        for (const float y : {-0.1f, 0.1f})
            for (const float z : {-0.1f, 0.1f}) cube.vert.append({x, y, z});
    spec.add_texture({.name = "tiles", .look = {.type = mjx::texture_type::flat, .builtin = mjx::texture_builtin::checker}});
    spec.add_material({.name = "glass", .texture = "tiles", .look = {.rgba = {1, 1, 1, 0}}});
}

void add_custom(mjx::Spec& spec) {
    spec.add_numeric({.name = "gains", .data = {1.5, 2.5, 3.5}});
    spec.add_text({.name = "note", .data = "legs of 0.4 m"});
    spec.add_tuple({.name = "feet", .entries = {{mjx::obj::geom, "right_foot", 0.5}, {mjx::obj::body, "left_leg", 2}}});
    mjx::List<double> bent{0, 0, 2, 1, 0, 0, 0, quarter, quarter};
    spec.add_key({.name = "bent", .qpos = bent, .ctrl = {2}});
}

mjx::Spec walker() {
    mjx::Spec spec;
    add_assets(spec);
    spec.world.add_geom({.name = "ground", .type = mjx::shape::hfield, .hfield = "slope"});
    spec.world.add_light({.name = "sun", .pos = {0, 0, 5}, .dir = {0, 0, -2}});
    mjx::SpecBody& torso = spec.world.add_body({.name = "torso", .pos = {0, 0, 2}});
    torso.add_joint({.name = "root", .type = mjx::jnt::free});
    torso.add_geom({.type = mjx::shape::box, .size = {0.3, 0.2, 0.1}, .mass = 5.0});
    torso.add_camera({.name = "eye", .pos = {0.3, 0, 0}, .fovy = 60});
    for (const bool left : {true, false}) add_leg(torso, left ? "left" : "right", left ? 0.09 : -0.09);
    mjx::SpecBody& block = spec.world.add_body({.name = "block", .pos = {0, 0, 2.1}, .mocap = true});
    block.add_geom({.type = mjx::shape::mesh, .mesh = "cube", .material = "glass"});

    spec.add_pair({.geom1 = "left_foot", .geom2 = "right_foot", .condim = 1, .friction = {0.7, 0.7}});
    spec.add_exclude({.body1 = "torso", .body2 = "block"});
    spec.add_equality({.type = mjx::eq::joint, .name1 = "left", .name2 = "right", .data = {0.25, 1}});
    mjx::SpecTendon stride{.name = "stride"};
    stride.path.push_back(mjx::SpecWrap{.type = mjx::wrap::joint, .name = "left", .prm = 1});
    stride.path.push_back(mjx::SpecWrap{.type = mjx::wrap::joint, .name = "right", .prm = -0.5});
    spec.add_tendon(stride);
    spec.add_actuator({.name = "hip", .trntype = mjx::trn::joint, .gear = {3}, .target = "left"});
    spec.add_sensor({.name = "angle", .type = mjx::sens::jointpos, .objtype = mjx::obj::joint, .objname = "right"});
    add_custom(spec);
    return spec;
}

template <class M, class D>
double first_torque(const mjx::JointHandle<M, D>& joint) {
    return joint.qfrc_actuator()[0];
}

}  // namespace

// From here on mjx:: is what tests see, the rooms too.
#include "catch.hpp"

TEST_CASE("a model written in C++ with every kind of element is what was written") {
    const mjx::Model model = mjx::compile(walker());
    CHECK(model.nq == 9);
    CHECK(model.nmocap == 1);
    CHECK(model.jnt_limited[model.joint("left")] == 1);
    CHECK(model.body_mass[model.body("block")] == Approx(8));  // 0.2 m of water in every direction
    CHECK(model.hfield_nrow[0] == 2);
    CHECK(model.hfield_data[3] == 1);
    CHECK(model.cam_fovy[model.camera("eye")] == 60);
    CHECK(model.light_dir[0][2] == -1);

    REQUIRE(model.npair == 1);
    CHECK(model.pair_dim[0] == 1);
    CHECK(model.pair_friction[0][1] == 0.7);
    CHECK(model.nexclude == 1);
    REQUIRE(model.neq == 1);
    CHECK(model.eq_data[0][0] == 0.25);

    REQUIRE(model.nnumeric == 1);
    CHECK(model.numeric_size[0] == 3);
    CHECK(model.numeric_data[model.numeric_adr[0] + 2] == 3.5);
    REQUIRE(model.text_name.size() == 1);
    CHECK(model.text_name[0] == "note");
    CHECK(model.text_data[0] == "legs of 0.4 m");
    REQUIRE(model.ntuple == 1);
    CHECK(model.tuple_size[0] == 2);
    CHECK(model.tuple_objid[0] == model.geom("right_foot"));
    CHECK(model.tuple_objid[1] == model.body("left_leg"));
    CHECK(model.tuple_objprm[1] == 2);

    REQUIRE(model.visual->materials.size() == 1);
    CHECK(model.visual->materials[0].texture == 0);
    CHECK(model.visual->textures[0].builtin == mjx::texture_builtin::checker);
}

TEST_CASE("a model written in C++ moves as its elements say") {
    auto sim = mjx::simulator<mjx::Euler, mjx::Newton>(mjx::compile(walker()));
    sim.reset_keyframe("bent");
    sim.forward();
    const auto& d = sim.data();

    // both legs point along -x
    CHECK(sim.site("left_toe").xpos()[0] == Approx(-0.5));
    CHECK(sim.site("left_toe").xpos()[1] == Approx(0.09));
    CHECK(sim.site("left_toe").xpos()[2] == Approx(2));
    CHECK(sim.body("torso").subtreemass() == Approx(5 + 2 * 2.5));
    CHECK(sim.tendon("stride").length() == Approx(quarter / 2));
    CHECK(sim.sensor("angle").data()[0] == Approx(quarter));
    CHECK(first_torque(sim.joint("left")) == Approx(2 * 3));
    CHECK(first_torque(sim.joint("right")) == 0);

    // of all that overlap, the feet are a pair, and torso and block are excluded
    REQUIRE(d.ncon == 1);
    CHECK(d.contact[0].dist == Approx(2 * 0.09 - 2 * 0.1));
    CHECK(d.contact[0].dim == 1);

    // a ray sees the torso's upper side through the glass, and the slope at half its height
    const mjx::Vec3<double> down{0, 0, -1};
    CHECK(mjx::ray(sim.model(), d, mjx::Vec3<double>{0, 0, 3}, down).dist == Approx(3 - 2.1));
    CHECK(mjx::ray(sim.model(), d, mjx::Vec3<double>{1, 0, 5}, down).dist == Approx(5 - 0.25));
}
