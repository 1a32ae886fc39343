// What UrdfOptions does about the difficulties of robots as they are found: packages, COLLADA, bad inertias, missing meshes, no motors.
#include "io/mjcf_support.hpp"
#include "mjx/io/mesh.hpp"
#include "mjx/io/urdf/packages.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/reset.hpp"

#include <cstdlib>

using namespace mjx;
using namespace mjx_test;

namespace {

const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// The same in centimetres, with z upwards, moved by its node to (2, 0, 0).
const std::string collada =
    "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>"
    "<asset><unit name='centimeter' meter='0.01'/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id='g'><mesh>"
    "<source id='p'><float_array id='a' count='12'>0 0 0 100 0 0 0 100 0 0 0 100</float_array><technique_common>"
    "<accessor source='#a' count='4' stride='3'><param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/>"
    "</accessor></technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
    "<triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>"
    "</library_geometries><library_visual_scenes><visual_scene id='s'><node id='n'><matrix>1 0 0 200 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
    "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>";

std::string robot(const std::string& contents) { return "<robot name='r'>" + contents + "</robot>"; }
std::string link(const std::string& name, const std::string& inertia, const std::string& mass = "1") {
    return "<link name='" + name + "'><inertial><mass value='" + mass + "'/><inertia " + inertia + "/></inertial></link>";
}
std::string mesh(const std::string& file, const char* tag = "collision") {
    return std::string("<") + tag + "><geometry><mesh filename='" + file + "'/></geometry></" + tag + ">";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& contents = "") {
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" + contents +
           "</joint>";
}
const std::string sound = "ixx='0.1' iyy='0.1' izz='0.1'";

struct Variable {  // of the environment, for as long as this lives
    const char* name;
    Variable(const char* n, const std::string& value) : name(n) { setenv(n, value.c_str(), 1); }
    ~Variable() { unsetenv(name); }
};

// What is wrong with what `f` does, or "".
template <class F>
std::string message_of(F&& f) {
    try {
        f();
        return "";
    } catch (const model_error& error) {
        return error.what();
    }
}
std::string failure(const std::string& text, const UrdfOptions& options = {}) {
    return message_of([&] { compile(parse_urdf_string(text, options, "model")); });
}

}  // namespace

TEST_CASE("packages are found by the caller's map, the variables of ROS, and above the file") {
    const TemporaryDirectory directory("packages");
    const std::string part = directory.write("ws/src/arm_pkg/meshes/part.obj", tetrahedron);
    directory.write("renamed/package.xml", "<package><name>other_pkg</name></package>");
    directory.write("renamed/part.obj", tetrahedron);
    directory.write("prefix/share/ament_pkg/part.obj", tetrahedron);
    const std::string root = directory.path.string();
    const auto find = [&](const std::string& name, const std::string& from, const Packages& given = {}) {
        const auto resource = find_resource(name, given, (directory.path / from).string());
        return resource ? resource->file : "ordinary";
    };
    CHECK(find("package://arm_pkg/meshes/part.obj", "ws/src/arm_pkg/urdf") == part);  // inside
    CHECK(find("package:///arm_pkg/meshes/part.obj", "ws/src/other/urdf") == part);   // beside
    CHECK(find("model://arm_pkg/meshes/part.obj", "ws/src/arm_pkg") == part);
    CHECK(find("package://other_pkg/part.obj", "renamed/urdf") == root + "/renamed/part.obj");
    CHECK(find("package://mine/part.obj", "elsewhere", {{"mine", root + "/renamed"}}) == root + "/renamed/part.obj");
    CHECK(find("file://" + part, "elsewhere") == part);
    CHECK(find("meshes/part.obj", "ws") == "ordinary");
    CHECK(find("package://arm_pkg/meshes/part.obj", "elsewhere") == "");
    {
        const Variable ros("ROS_PACKAGE_PATH", "/nowhere:" + root + "/ws/src"), ament("AMENT_PREFIX_PATH", root + "/prefix");
        CHECK(find("package://arm_pkg/meshes/part.obj", "elsewhere") == part);
        CHECK(find("package://ament_pkg/part.obj", "elsewhere") == root + "/prefix/share/ament_pkg/part.obj");
    }
    const Variable ros("ROS_PACKAGE_PATH", root + "/renamed");
    CHECK(find("package://other_pkg/part.obj", "elsewhere") == root + "/renamed/part.obj");

    const std::string lost = robot("<link name='a'>" + mesh("package://lost_pkg/part.obj") + "</link>");
    CHECK(contains(failure(lost),
                   "model:1: /robot[r]/link[a]/collision/geometry/mesh: attribute 'filename': 'package://lost_pkg/part.obj': "
                   "package 'lost_pkg' is not found, expected its folder in the option packages"));
    CHECK(contains(failure(lost, {.packages = {{"lost_pkg", root}}}), "package 'lost_pkg' has no file 'part.obj' in '" + root));
}

TEST_CASE("a COLLADA mesh has its units and nodes applied, or the message says what is missing") {
    const TemporaryDirectory directory("collada");
    const std::string file = directory.write("part.dae", collada);
    if (!have_collada) {
        WARN("built without assimp: COLLADA is left out");
        CHECK(contains(failure(robot("<link name='a'>" + mesh(file) + "</link>")), "need assimp"));
        return;
    }
    const MeshData got = read_mesh(file, "", "here");
    REQUIRE(got.vert.size() == 12);
    REQUIRE(got.face.size() == 12);
    float low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
    for (std::size_t i = 0; i < 12; ++i) {
        low[i % 3] = std::min(low[i % 3], got.vert[i]);
        high[i % 3] = std::max(high[i % 3], got.vert[i]);
    }
    CHECK((low[0] == Approx(2) && low[1] == Approx(0).margin(1e-6) && low[2] == Approx(0).margin(1e-6)));
    CHECK((high[0] == Approx(3) && high[1] == Approx(1) && high[2] == Approx(1)));
    CHECK(contains(message_of([&] { read_mesh(directory.write("bad.dae", "<COLLADA"), "", "here"); }), "is not a COLLADA mesh"));
    CHECK(contains(failure(robot("<link name='a'>" + mesh(directory.write("x.ply", "")) + "</link>")), "unknown kind of mesh '.ply'"));
}

TEST_CASE("inertias that no body has are repaired on request, with a warning, and refused otherwise") {
    std::vector<std::string> warnings;
    const UrdfOptions repair{.repair_inertia = true, .on_warning = [&](const std::string& text) { warnings.push_back(text); }};
    struct Case {
        const char *inertia, *mass, *refusal;
        Vec3d moments;
    };
    const Case cases[] = {
        // A triangle: the second moments along the axes are -1.5, 2.5, 3.5 and become 0.0035, 2.5, 3.5.
        {"ixx='6' iyy='2' izz='1'", "1", "A + B >= C", {{6, 3.5035, 2.5035}}},
        {"ixx='-1' iyy='1' izz='1'", "1", "positive eigenvalues", {{1.5015, 1.5015, 0.003}}},
        {"ixx='0' iyy='0' izz='0'", "2", "moves but has no mass or inertia", {{2e-3, 2e-3, 2e-3}}},
        {"ixx='0' iyy='0' izz='0'", "0", "moves but has no mass or inertia", {{1e-6, 1e-6, 1e-6}}},
        {"ixx='1' iyy='1' izz='1'", "-1", "moves but has no mass or inertia", {{1, 1, 1}}},
    };
    for (const Case& c : cases) {
        INFO(c.inertia << " mass " << c.mass);
        const std::string text = robot("<link name='base'/>" + link("bad", c.inertia, c.mass) + joint("j", "continuous", "base", "bad"));
        const std::string refusal = failure(text);
        CHECK(contains(refusal, "model:1: /robot[r]/link[bad]: "));
        CHECK(contains(refusal, c.refusal));
        CHECK(contains(refusal, "repair_inertia"));
        warnings.clear();
        const Model<double> m = compile(parse_urdf_string(text, repair, "model"));
        REQUIRE(warnings.size() == 1);
        CHECK(contains(warnings[0], "model:1: /robot[r]/link[bad]: "));
        for (int k = 0; k < 3; ++k) CHECK(m.body_inertia[1][k] == Approx(c.moments[k]).epsilon(1e-9));
        CHECK(m.body_mass[1] > 0);
    }
    warnings.clear();
    compile(parse_urdf_string(robot(link("a", sound) + link("b", sound) + joint("j", "revolute", "a", "b")), repair));
    CHECK(warnings.empty());
}

TEST_CASE("a link that has to move without any mass gets some from repair_inertia or link_mass") {
    const std::string text = robot("<link name='a'/><link name='b'/>" + joint("j", "prismatic", "a", "b"));
    CHECK(contains(failure(text), "link[b]: moves but has no mass or inertia"));
    CHECK(failure(text, {.repair_inertia = true, .on_warning = [](const std::string&) {}}).empty());
    const Model<double> m = compile(parse_urdf_string(text, {.link_mass = 0.001}));
    CHECK(m.body_mass[1] == 0.001);
    CHECK(m.body_inertia[1][0] == Approx(1e-6));
}

TEST_CASE("a floating base is free, also where the root is the world") {
    for (const std::string& above : {std::string(), "<link name='world'/>" + joint("mount", "fixed", "world", "base")}) {
        const std::string text = robot(link("base", sound) + link("tip", sound) + joint("j", "revolute", "base", "tip") + above);
        CHECK(compile(parse_urdf_string(text)).nv == 1);
        const Model<double> m = compile(parse_urdf_string(text, {.floating_base = true}));
        CHECK((m.nv == 7 && m.jnt_name[0] == "base_free_joint" && m.body_name[1] == "base"));
    }
}

TEST_CASE("joints with a transmission or an effort get motors") {
    const std::string text = robot(link("a", sound) + link("b", sound) + link("c", sound) + link("d", sound) + link("e", sound) +
                                   joint("geared", "revolute", "a", "b", "<limit effort='10' lower='-1' upper='1' velocity='1'/>") +
                                   joint("plain", "prismatic", "a", "c", "<limit effort='7' velocity='1'/>") +
                                   joint("copy", "revolute", "a", "d", "<limit effort='7' velocity='1'/><mimic joint='geared'/>") +
                                   joint("loose", "continuous", "a", "e") +
                                   "<transmission name='t'><type>SimpleTransmission</type><joint name='geared'/>"
                                   "<actuator name='motor'><mechanicalReduction> -50 </mechanicalReduction></actuator></transmission>");
    CHECK(parse_urdf_string(text).actuators.empty());
    const Model<double> m = compile(parse_urdf_string(text, {.actuators = true}));
    REQUIRE(m.nu == 2);
    CHECK((m.actuator_name[0] == "geared" && m.actuator_gear[0][0] == -50 && m.actuator_ctrlrange[0][1] == Approx(0.2)));
    CHECK((m.actuator_name[1] == "plain" && m.actuator_gear[1][0] == 1 && m.actuator_ctrlrange[1][0] == -7));
    CHECK(contains(failure(robot(link("a", sound) + link("b", sound) + joint("j", "revolute", "a", "b") +
                                 "<transmission><joint name='j'><mechanicalReduction>fast</mechanicalReduction></joint></transmission>"),
                           {.actuators = true}),
                   "mechanicalReduction: 'fast' is not a ratio"));
}

TEST_CASE("a joint ends where its safety controller says on request") {
    const auto range = [](const std::string& type, const std::string& limits, bool soft) {
        const std::string text = robot(link("a", sound) + link("b", sound) + joint("j", type, "a", "b", limits));
        const Model<double> m = compile(parse_urdf_string(text, {.soft_limits = soft}));
        return m.jnt_limited[0] ? std::pair(double(m.jnt_range[0][0]), double(m.jnt_range[0][1])) : std::pair(0.0, 0.0);
    };
    const std::string limit = "<limit lower='-1' upper='2' effort='1' velocity='1'/>";
    const std::string both = "<safety_controller soft_lower_limit='-0.9' soft_upper_limit='1.5' k_velocity='10'/>";
    CHECK(range("revolute", limit + both, false) == std::pair(-1.0, 2.0));
    CHECK(range("revolute", limit + both, true) == std::pair(-0.9, 1.5));
    CHECK(range("prismatic", limit + "<safety_controller soft_upper_limit='1.5' k_velocity='10'/>", true) == std::pair(-1.0, 1.5));
    CHECK(range("revolute", limit + "<safety_controller soft_lower_limit='-3' soft_upper_limit='3' k_velocity='10'/>", true) ==
          std::pair(-1.0, 2.0));
    CHECK(range("revolute", limit + "<safety_controller k_velocity='10'/>", true) == std::pair(-1.0, 2.0));
    CHECK(range("continuous", both, true) == std::pair(-0.9, 1.5));
    const auto refused = [](const std::string& limits) {
        return failure(robot(link("a", sound) + link("b", sound) + joint("j", "continuous", "a", "b", limits)), {.soft_limits = true});
    };
    CHECK(contains(refused("<safety_controller soft_lower_limit='1' k_velocity='1'/>"),
                   "joint[j]/safety_controller: leaves the joint no range"));
    CHECK(contains(refused("<safety_controller soft_lower_limit='1' soft_upper_limit='0' k_velocity='1'/>"), "leaves the joint no range"));
}

TEST_CASE("visual shapes are kept on request, with their colours, and missing ones are left out") {
    const TemporaryDirectory directory("visuals");
    directory.write("collision/part.obj", tetrahedron);
    directory.write("visual/part.obj", tetrahedron);
    const std::string text = robot("<material name='red'><color rgba='1 0 0 1'/></material><link name='a'>" +
                                   mesh("visual/gone.obj", "visual") + mesh("package://gone/part.obj", "visual") +
                                   mesh("visual/part.mesh", "visual") +
                                   "<visual><geometry><mesh filename='visual/part.obj'/></geometry><material name='red'/></visual>" +
                                   mesh("collision/part.obj") + "</link>");
    std::vector<std::string> warnings;
    const auto heard = [&](const std::string& warning) { warnings.push_back(warning); };
    const std::string folder = directory.path.string();
    CHECK(compile(parse_urdf_string(text, {.on_warning = heard}, "model", folder)).ngeom == 1);
    CHECK(warnings.empty());
    const Spec spec = parse_urdf_string(text, {.visuals = true, .on_warning = heard}, "model", folder);
    CHECK(warnings.size() == 3);
    CHECK(contains(warnings[0], "model:1: /robot[r]/link[a]/visual[1]/geometry/mesh: 'visual/gone.obj': there is no such file"));
    const auto& geoms = spec.world.bodies.front().geoms;
    REQUIRE(geoms.size() == 2);
    CHECK((geoms.front().group == 1 && geoms.front().contype == 0 && geoms.front().density == 0 && geoms.front().rgba[1] == 0));
    CHECK((geoms.back().mesh == "part1" && geoms.back().rgba[0] == 1));  // of another file, in the colour of the visual before it
    CHECK(compile(spec).nmesh == 2);
}

TEST_CASE("MJCF with discardvisual does without the meshes that are only seen") {
    const auto model = [](const char* discard, const char* geom) {
        return std::string("<mujoco><compiler discardvisual='") + discard +
               "'/><asset><mesh file='gone.obj'/></asset><worldbody><body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
               "<geom type='mesh' mesh='gone' " +
               geom + "/><geom size='1'/></body></worldbody></mujoco>";
    };
    const std::string seen = "contype='0' conaffinity='0'";
    CHECK(compile(parse_mjcf_string(model("true", seen.c_str()))).ngeom == 1);
    CHECK(contains(message_of([&] { compile(parse_mjcf_string(model("false", seen.c_str()))); }), "cannot be opened"));
    CHECK(contains(message_of([&] { compile(parse_mjcf_string(model("true", ""))); }), "cannot be opened"));
}

TEST_CASE("load takes either format, load_urdf insists on a robot") {
    const TemporaryDirectory directory("either");
    const std::string urdf = directory.write("a.urdf", robot(link("a", sound))), mjcf = directory.write("a.xml", "<mujoco model='m'/>");
    CHECK(load(urdf, {.floating_base = true}).nv == 6);
    CHECK(load(mjcf).name == "m");
    CHECK(load_urdf(urdf).name == "r");
    CHECK(contains(message_of([&] { load_urdf(mjcf); }), "the root is <mujoco>, expected <robot>"));
}

TEST_CASE("with keep_links every link is a body: a two-link arm") {
    const std::string text =
        "<robot name='two_link'><link name='base'><inertial><mass value='1.0'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link>"
        "<link name='link1'><inertial><mass value='0.5'/><inertia ixx='0.01' iyy='0.01' izz='0.01'/></inertial></link>"
        "<joint name='j1' type='revolute'><parent link='base'/><child link='link1'/><origin xyz='0 0 0.5'/><axis xyz='0 1 0'/>"
        "<limit lower='-1.57' upper='1.57' effort='10' velocity='1'/></joint></robot>";
    const auto model = load_urdf_string(text, {.keep_links = true});
    CHECK(model.nbody == 3);  // the world, base, link1
    CHECK(model.njnt == 1);
    CHECK(model.nq == 1);
    CHECK(model.nv == 1);
    CHECK(load_urdf_string(text).nbody == 2);
    Data<double, Model<>> d(model);
    reset(model, d);
    d.qpos[0] = 0.5;
    kinematics(model, d);
    CHECK(d.xpos[2][2] == Approx(0.5));
    CHECK(d.xquat[2][0] == Approx(std::cos(0.25)));
    CHECK(d.xquat[2][2] == Approx(std::sin(0.25)));
}
