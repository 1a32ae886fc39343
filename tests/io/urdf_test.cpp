// URDF robots; that they move as in MuJoCo is seen by the conformance test.
#include "io/mjcf_support.hpp"

using namespace mjx;
using namespace mjx_test;

namespace {

Spec read_robot(const std::string& contents) { return parse_mjcf_string("<robot name='r'>" + contents + "</robot>", "model"); }
std::string error_in_robot(const std::string& contents) { return error_of("<robot name='r'>" + contents + "</robot>"); }

const std::string two_links = "<link name='a'/><link name='b'/>";
std::string joint(const std::string& type, const std::string& contents = "", const std::string& name = "j") {
    return "<joint name='" + name + "' type='" + type + "'><parent link='a'/><child link='b'/>" + contents + "</joint>";
}

}  // namespace

TEST_CASE("links become bodies where their joints are") {
    const Spec s = read_robot(two_links + joint("revolute",
                                                "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 1 0'/>"
                                                "<limit lower='-1' upper='2' effort='-7'/><dynamics damping='3' friction='4'/>"));
    CHECK(s.name == "r");
    const SpecBody& b = s.world.bodies.front().bodies.front();
    CHECK(b.name == "b");
    CHECK(close(b.pos, Vec3d{{1, 2, 3}}));
    CHECK(b.quat[3] == Approx(std::sqrt(0.5)));
    const SpecJoint& j = b.joints.front();
    CHECK(j.type == jnt::hinge);
    CHECK(close(j.axis, Vec3d{{0, 1, 0}}));
    CHECK((j.range[0] == -1 && j.range[1] == 2 && j.limited == Tristate::automatic));
    CHECK((j.actfrcrange[0] == -7 && j.actfrcrange[1] == 7));
    CHECK((j.damping[0] == 3 && j.frictionloss == 4));
}

TEST_CASE("a two-link arm reaches where trigonometry says") {
    const Model<double> m = compile(read_robot(
        "<link name='a'/>"
        "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>" +
        joint("revolute", "<origin xyz='0 0 0.5'/><axis xyz='0 1 0'/><limit lower='-1.57' upper='1.57' effort='10' velocity='1'/>")));
    CHECK((m.nbody == 2 && m.njnt == 1 && m.nq == 1 && m.nv == 1));  // the base is fused with the world
    CHECK(m.body_pos[1][2] == 0.5);
}

TEST_CASE("the inertia of a link is turned with its frame, and what is not written of it is zero") {
    const Spec s = read_robot("<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
                              "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.25'/></inertial></link>");
    const SpecInertial& i = *s.world.bodies.front().inertial;
    CHECK(close(*i.fullinertia, Vec6<double>{{2, 1, 2.5, -0.25, 0, 0}}, 1e-12));  // x becomes y, y becomes -x
    CHECK((close(i.pos, Vec3d{{1, 2, 3}}) && i.mass == 2));
}

TEST_CASE("a limit that is not a range is no limit") {
    for (const std::string limit : {"<limit lower='1' upper='-1'/>", "<limit lower='-1'/>", "<limit upper='1'/>"})
        CHECK(read_robot(two_links + joint("prismatic", limit)).world.bodies.front().bodies.front().joints.front().limited == Tristate::no);
}

TEST_CASE("a planar joint becomes three joints as in MuJoCo, or one when the file asks for it") {
    const std::string planar = joint("planar", "<axis xyz='0 0 2'/><limit lower='-3' upper='4'/><dynamics damping='5'/>");
    const Spec as_mujoco = read_robot(two_links + planar), asked = read_robot("<mujoco planar='joint'/>" + two_links + planar);
    const auto& three = as_mujoco.world.bodies.front().bodies.front().joints;
    REQUIRE(three.size() == 3);
    CHECK((three.front().name == "j_TX" && three.front().type == Slide::type && three.back().type == Hinge::type));
    const auto& one = asked.world.bodies.front().bodies.front().joints;
    REQUIRE(one.size() == 1);
    CHECK((one.front().name == "j" && one.front().type == Planar::type && one.front().damping[0] == 5));
    CHECK((one.front().range[0] == 0 && one.front().range[1] == 4));
    CHECK(error_in_robot("<mujoco planar='2'/>" + two_links + planar).find("expected one of 'slides'") != std::string::npos);
}

TEST_CASE("a joint that mimics another becomes an equality") {
    const Spec s = read_robot(two_links + "<link name='c'/>" + joint("revolute") +
                              "<joint name='k' type='prismatic'><parent link='a'/><child link='c'/>"
                              "<mimic joint='j' multiplier='-2' offset='0.5'/></joint>");
    const SpecEquality& q = s.equalities.front();
    CHECK((q.type == eq::joint && q.name1 == "k" && q.name2 == "j"));
    CHECK((q.data[0] == 0.5 && q.data[1] == -2 && q.data[2] == 0));
}

TEST_CASE("a mesh file is one asset for each scale") {
    const std::string mesh = "<collision><geometry><mesh filename='d/part.stl'/></geometry></collision>";
    const std::string large = "<collision><geometry><mesh filename='d/part.stl' scale='2 2 2'/></geometry></collision>";
    const Spec s = read_robot("<mujoco><compiler strippath='true' meshdir='m'/></mujoco><link name='a'>" + mesh + large + mesh + large +
                              "</link>");
    CHECK(s.meshes.size() == 2);
    CHECK(s.meshes.front().file == "m/part.stl");
    std::vector<std::string> names;
    for (const SpecGeom& g : s.world.bodies.front().geoms) names.push_back(g.mesh);
    CHECK(names == std::vector<std::string>{"part", "part1", "part", "part1"});
}

TEST_CASE("errors in URDF say where they are and what was expected") {
    const auto check = [](const std::string& error, const std::string& part) {
        INFO(error);
        CHECK(contains(error, part));
    };
    check(error_in_robot("<link/>"), "model:1: /robot[r]/link: missing attribute 'name'");
    check(error_in_robot("<link name='a'/><link name='a'/>"), "/robot[r]/link[a]: repeated name 'a'");
    check(error_in_robot(two_links + joint("rotary")),
          "/robot[r]/joint[j]: attribute 'type': unknown keyword 'rotary', expected one of 'revolute'");
    check(error_in_robot("<link name='a'/>" + joint("fixed")), "/robot[r]/joint[j]/child: unknown link 'b'");
    check(error_in_robot(two_links + "<joint name='j' type='fixed'><parent link='a'/></joint>"), "missing element <child>");
    check(error_in_robot(two_links + joint("fixed") + joint("fixed", "", "k")), "/robot[r]/joint[k]: link 'b' is the child of two joints");
    check(error_in_robot(two_links + joint("fixed") + "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
          "in a loop");
    check(
        error_in_robot("<link name='b'/><link name='world'/><joint name='k' type='fixed'><parent link='b'/><child link='world'/></joint>"),
        "link 'world' hangs on a joint");
    check(error_in_robot("<link name='a'><collision/></link>"), "/robot[r]/link[a]/collision: missing element <geometry>");
    check(error_in_robot("<link name='a'><collision><geometry><cone/></geometry></collision></link>"), "expected <box>");
    check(error_in_robot("<link name='a'><collision><geometry><box size='1 2'/></geometry></collision></link>"),
          "has 2 numbers, expected 3");
    check(error_in_robot("<link name='a'><inertial><mass value='nan'/></inertial></link>"), "'nan' is not a finite number");
    check(error_in_robot("<link name='a'><inertial><mass value='1'/></inertial></link>"), "missing element <inertia>");
    check(error_in_robot(two_links + joint("planar", "<axis xyz='0 0 0'/>")), "the axis has no direction");
    check(error_in_robot("<xacro:macro name='m'/>"), "xacro");
    check(error_in_robot("<mujoco><visual/></mujoco>"), "unknown element <visual>");
    std::string chain = "<link name='l0'/>";
    for (int i = 1; i < 1000; ++i) {
        const std::string n = std::to_string(i);
        chain += "<link name='l" + n + "'/><joint name='j" + n + "' type='fixed'><parent link='l" + std::to_string(i - 1) +
                 "'/><child link='l" + n + "'/></joint>";
    }
    check(error_in_robot(chain), "links chained longer than");
}
