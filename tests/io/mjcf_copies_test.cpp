// Models made of several files and of copies: include, replicate, attach. Names and counts are those of MuJoCo 3.12.
#include "io/mjcf_support.hpp"

#include <set>

using namespace mjx;
using namespace mjx_test;

namespace {

template <class List>
std::vector<std::string> names(const List& list) {
    std::vector<std::string> result;
    for (const auto& item : list) result.push_back(item.name);
    return result;
}
using Words = std::vector<std::string>;

}  // namespace

// ------------------------------------------------------------------------------------------- include

TEST_CASE("an included file takes the place of the element, whatever its root is called") {
    const TemporaryDirectory d("include");
    d.write("sub/geoms.xml", "<anything><geom name='i' size='1'/><include file='more.xml'/></anything>");
    d.write("sub/more.xml", "<mujocoinclude>\n<geom name='j' size='x'/></mujocoinclude>");
    d.write("main.xml",
            "<mujoco><worldbody><geom name='h' size='1'/><include file='sub/geoms.xml'/><geom name='k' size='1'/></worldbody></mujoco>");
    CHECK(contains(d.error("main.xml"), "more.xml:2: /mujoco/worldbody/geom[j]: attribute 'size'"));
    d.write("sub/more.xml", "<mujocoinclude><geom name='j' size='1'/></mujocoinclude>");
    CHECK(names(parse_mjcf_file((d.path / "main.xml").string()).world.geoms) == Words{"h", "i", "j", "k"});
}

TEST_CASE("an included compiler section counts, and assets are found beside the file that names them") {
    const TemporaryDirectory d("assets");
    d.write("sub/part.xml", "<m><compiler angle='radian'/><asset><mesh file='part.obj'/></asset></m>");
    d.write("sub/part.obj", "v");
    d.write("main.xml", "<mujoco><include file='sub/part.xml'/><worldbody><geom size='1' euler='0 0 3'/></worldbody></mujoco>");
    const Spec s = parse_mjcf_file((d.path / "main.xml").string());
    CHECK(s.world.geoms.front().quat[3] == Approx(std::sin(1.5)));
    CHECK(s.meshes.front().file == (d.path / "sub/part.obj").string());
}

TEST_CASE("includes that cannot be are refused") {
    const TemporaryDirectory d("bad_include");
    d.write("self.xml", "<mujoco><include file='self.xml'/></mujoco>");
    CHECK(contains(d.error("self.xml"), "included more than once (or includes itself)"));
    d.write("a.xml", "<mujoco><include file='b.xml'/></mujoco>");
    d.write("b.xml", "<mujoco><include file='c.xml'/></mujoco>");
    d.write("c.xml", "<mujoco><include file='./b.xml'/></mujoco>");
    CHECK(contains(d.error("a.xml"), "more than once"));
    d.write("twice.xml", "<mujoco><include file='d.xml'/><include file='d.xml'/></mujoco>");
    d.write("d.xml", "<mujoco><option/></mujoco>");
    CHECK(contains(d.error("twice.xml"), "/mujoco/include[2]: file 'd.xml' is included more than once"));
    d.write("missing.xml", "<mujoco><include file='nowhere.xml'/></mujoco>");
    CHECK(contains(d.error("missing.xml"), "missing.xml:1: /mujoco/include: included file 'nowhere.xml' not found"));
    d.write("nofile.xml", "<mujoco><include/></mujoco>");
    CHECK(contains(d.error("nofile.xml"), "missing attribute 'file'"));
    d.write("child.xml", "<mujoco><include file='d.xml'><option/></include></mujoco>");
    CHECK(contains(d.error("child.xml"), "<include> has children"));
    d.write("empty.xml", "<mujoco/>");
    d.write("includes_empty.xml", "<mujoco><include file='empty.xml'/></mujoco>");
    CHECK(contains(d.error("includes_empty.xml"), "has no elements"));
    d.write("directory.xml", "<mujoco><include file='.'/></mujoco>");
    CHECK(contains(d.error("directory.xml"), "is a directory"));
}

TEST_CASE("files that cannot be read are refused") {
    const TemporaryDirectory d("files");
    CHECK(contains(d.error("nowhere.xml"), "file not found"));
    CHECK(contains(d.error("."), "is a directory"));
    d.write("empty.xml", "");
    CHECK(contains(d.error("empty.xml"), "empty file"));
    d.write("binary.xml", std::string("\x89PNG\r\n\x1a\n\0\0", 10));
    CHECK(contains(d.error("binary.xml"), "XML"));
}

// ------------------------------------------------------------------------------------------- replicate

TEST_CASE("replicate moves and turns each copy on from the last") {
    const Spec s = read(
        "<worldbody><replicate count='3' offset='1 0 0' euler='0 0 90'><geom size='1' pos='0 1 0'/></replicate></worldbody>");
    std::vector<Vec3d> pos;
    for (const SpecGeom& g : s.world.geoms) pos.push_back(g.pos);
    REQUIRE(pos.size() == 3);
    CHECK(close(pos[0], Vec3d{{0, 1, 0}}));
    CHECK(close(pos[1], Vec3d{{0, 0, 0}}));   // at (1 0 0), turned by 90 degrees
    CHECK(close(pos[2], Vec3d{{1, 0, 0}}));   // at (1 1 0), turned by 180 degrees
    CHECK(close(s.world.geoms.back().quat, Quatd{{0, 0, 0, 1}}));
}

TEST_CASE("replicate numbers the names and copies what refers to them") {
    const Spec s = read(
        "<worldbody><geom name='floor' type='plane' size='1 1 1'/><replicate count='3' offset='0 0 1' sep='_'><body name='b'><joint name='j'/>"
        "<geom name='g' size='.1'/><replicate count='2' offset='1 0 0'><geom name='h' size='.1'/></replicate></body></replicate>"
        "<body name='o'><joint name='oj'/><geom size='1'/></body></worldbody>"
        "<contact><pair geom1='floor' geom2='g'/><pair geom1='h' geom2='floor'/></contact>"
        "<actuator><motor name='m' joint='j'/><motor name='om' joint='oj'/></actuator>"
        "<sensor><jointpos name='s' joint='j'/><jointpos name='os' joint='oj'/><actuatorfrc name='f' actuator='m'/></sensor>");
    CHECK(names(s.world.bodies) == Words{"b_0", "b_1", "b_2", "o"});
    CHECK(names(s.world.bodies.front().geoms) == Words{"g_0", "h0_0", "h1_0"});
    CHECK(names(s.actuators) == Words{"om", "m_0", "m_1", "m_2"});
    CHECK(names(s.sensors) == Words{"os", "s_0", "f_0", "s_1", "f_1", "s_2", "f_2"});
    CHECK(s.sensors.back().objname == "m_2");
    CHECK(s.pairs.size() == 9);
}

TEST_CASE("a tendon is copied when one end is in the replicated part") {
    const Spec s = read(
        "<worldbody><site name='a'/><replicate count='17'><site name='b'/></replicate></worldbody>"
        "<tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon><actuator><motor name='m' tendon='t'/></actuator>");
    REQUIRE(s.tendons.size() == 17);
    CHECK(s.tendons.back().name == "t16");
    CHECK(s.tendons.front().name == "t00");
    CHECK(s.tendons.back().path[0].name == "a");
    CHECK(s.tendons.back().path[1].name == "b16");
    CHECK(s.actuators.back().target == "t16");
    CHECK(s.actuators.size() == 17);
}

TEST_CASE("a short file cannot ask for an endless model") {
    std::string text = "<geom size='1'/>";
    for (int i = 0; i < 20; ++i) text = "<replicate count='1000'>" + text + "</replicate>";
    CHECK(contains(error_in("<worldbody>" + text + "</worldbody>"), "budget.copies"));
    CHECK(contains(error_in("<worldbody><replicate count='-1'/></worldbody>"), "negative"));
    CHECK(error_in("<worldbody><replicate count='0'><geom size='1'/></replicate></worldbody>").empty());
}

// ------------------------------------------------------------------------------------------- attach

namespace {

const char* const child_model =
    "<mujoco model='child'><compiler angle='radian' boundmass='0.5'/><option gravity='0 0 -1'/><default><geom size='.1'/></default>"
    "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
    "<worldbody><geom name='floor'/><frame name='f' pos='0 0 5'><body name='arm' pos='1 0 0' euler='0 0 1.5707963267948966'><joint name='j' range='-1 1'/>"
    "<geom name='g' type='mesh' mesh='m'/></body></frame></worldbody><actuator><motor name='a' joint='j'/></actuator><sensor><jointpos joint='j'/></sensor></mujoco>";

Spec attach(const TemporaryDirectory& d, const std::string& element) {
    d.write("child.xml", child_model);
    return parse_mjcf_file(d.write("main.xml", "<mujoco><asset><model name='c' file='child.xml'/></asset><worldbody>"
                                               "<frame pos='0 2 0'>" +
                                                   element + "</frame></worldbody></mujoco>"));
}

}  // namespace

TEST_CASE("a body of another model is attached with what belongs to it") {
    const TemporaryDirectory d("attach_body");
    const Spec s = attach(d, "<attach model='c' body='arm' prefix='p-'/>");
    CHECK(s.world.geoms.empty());
    const SpecBody& arm = s.world.bodies.front();
    CHECK(arm.name == "p-arm");
    CHECK(close(arm.pos, Vec3d{{1, 2, 0}}));  // the frame it stood in stays behind
    CHECK(arm.quat[0] == Approx(std::sqrt(0.5)));
    CHECK(arm.joints.front().range[1] == 1);
    CHECK(arm.joints.front().limited == Tristate::yes);
    CHECK(arm.geoms.front().mesh == "p-m");
    CHECK(names(s.meshes) == Words{"p-m"});
    CHECK(names(s.actuators) == Words{"p-a"});
    CHECK(s.actuators.front().target == "p-j");
    CHECK(s.sensors.front().objname == "p-j");
    CHECK(s.option.gravity[2] == -9.81);
    REQUIRE(arm.compiler);
    CHECK(arm.compiler->boundmass == 0.5);
    CHECK(s.compiler.boundmass == 0);
}

TEST_CASE("a frame and a whole world can be attached too") {
    const TemporaryDirectory d("attach_frame");
    const Spec frame = attach(d, "<attach model='c' frame='f' prefix='p'/>");
    CHECK(close(frame.world.bodies.front().pos, Vec3d{{1, 2, 5}}));
    const Spec world = attach(d, "<attach model='c' prefix='p'/>");
    CHECK(names(world.world.geoms) == Words{"pfloor"});
    CHECK(close(world.world.bodies.front().pos, Vec3d{{1, 2, 5}}));
}

TEST_CASE("a model can attach its own parts again") {
    const Spec s = read(
        "<worldbody><body name='b'><joint name='j'/><geom size='1'/></body><frame pos='1 0 0'><attach body='b' prefix='x'/></frame></worldbody>"
        "<actuator><motor name='m' joint='j'/></actuator>");
    CHECK(names(s.world.bodies) == Words{"b", "xb"});
    CHECK(names(s.actuators) == Words{"m", "xm"});
    CHECK(s.world.bodies.back().pos[0] == 1);
}

TEST_CASE("keyframes come along: NaN stands for the initial value of what was not attached") {
    const TemporaryDirectory d("attach_keys");
    const std::string file = d.write(
        "main.xml", "<mujoco><asset><model name='c' file='child.xml'/></asset><worldbody><body><joint/><geom size='1'/></body>"
                    "<replicate count='2'><attach model='c' body='b' prefix='p'/></replicate></worldbody></mujoco>");
    d.write(
        "child.xml",
        "<mujoco><worldbody><body name='b'><freejoint name='f'/><geom size='1'/></body><body name='c'><joint/><geom size='1'/></body></worldbody>"
        "<actuator><motor name='a' joint='f'/></actuator>"
        "<keyframe><key name='k' time='2' qpos='1 2 3 1 0 0 0 4' qvel='1 2 3 4 5 6 7' ctrl='9'/></keyframe></mujoco>");
    const Spec s = parse_mjcf_file(file);
    REQUIRE(s.keys.size() == 1);
    const SpecKey& k = s.keys.front();
    CHECK(k.name == "pk");
    CHECK(k.time == 2);
    REQUIRE(k.qpos.size() == 15);
    CHECK(std::isnan(k.qpos[0]));
    CHECK(k.qpos[3] == 3);
    CHECK(std::isnan(k.qpos[8]));  // the second copy starts where it stands
    CHECK(k.qvel == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0});
    CHECK(k.ctrl == std::vector<double>{9, 0});
    CHECK(k.act.empty());
}

TEST_CASE("keyframes come along for every kind of joint, and for actuators with several controls or none") {
    const TemporaryDirectory d("attach_kinds");
    const std::string file = d.write(
        "main.xml", "<mujoco><asset><model name='c' file='child.xml'/></asset><worldbody><body><joint/><geom size='1'/></body>"
                    "<attach model='c' body='b' prefix='p'/></worldbody></mujoco>");
    d.write("child.xml", "<mujoco><worldbody><body name='b'><geom size='1'/>"
                         "<body><joint type='planar'/><geom size='1'/><body><joint name='ball' type='ball'/><geom size='1'/>"
                         "<body><joint name='hinge'/><geom size='1'/></body></body></body></body></worldbody>"
                         "<actuator><orientation joint='ball' kp='1' input='quat'/><pid joint='hinge' kp='1'/>"
                         "<dcmotor joint='hinge' motorconst='1' resistance='1' input='none'/><motor joint='hinge'/></actuator>"
                         "<keyframe><key qpos='1 2 3 1 0 0 0 4' qvel='1 2 3 4 5 6 7' ctrl='1 2 3 4 5 6 7'/></keyframe></mujoco>");
    const Spec s = parse_mjcf_file(file);
    REQUIRE(s.keys.size() == 1);
    REQUIRE(s.keys.front().qpos.size() == 9);
    CHECK(std::isnan(s.keys.front().qpos[0]));
    for (int i = 0; i < 8; ++i)
        CHECK(s.keys.front().qpos[std::size_t(1 + i)] == std::vector<double>{1, 2, 3, 1, 0, 0, 0, 4}[std::size_t(i)]);
    CHECK(s.keys.front().qvel == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(s.keys.front().ctrl == std::vector<double>{1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("attachments that cannot be are refused") {
    const TemporaryDirectory d("bad_attach");
    const auto error = [&](const std::string& element) {
        try {
            attach(d, element);
            return std::string();
        } catch (const model_error& e) {
            return std::string(e.what());
        }
    };
    CHECK(contains(error("<attach model='x' body='arm' prefix='p'/>"), "unknown model 'x'"));
    CHECK(contains(error("<attach model='c' body='leg' prefix='p'/>"), "no body 'leg'"));
    CHECK(contains(error("<attach model='c' frame='leg' prefix='p'/>"), "no frame 'leg'"));
    CHECK(contains(error("<attach prefix='p'/>"), "nothing to attach"));
    CHECK(contains(error("<attach model='c' body='arm'/>"), "missing attribute 'prefix'"));
    CHECK(contains(error("<attach model='c' body='arm' prefix='p'/><attach model='c' body='arm' prefix='p'/>"), "repeated name"));
    d.write("loop.xml", "<mujoco><asset><model file='loop.xml'/></asset></mujoco>");
    CHECK(contains(d.error("loop.xml"), "contains itself"));
    d.write("gone.xml", "<mujoco><asset><model file='gone.obj'/></asset></mujoco>");
    CHECK(contains(d.error("gone.xml"), "file not found"));
}

TEST_CASE("options that differ follow the conflict policy") {
    const TemporaryDirectory d("conflict");
    d.write("child.xml", "<mujoco><option timestep='0.001' iterations='7' density='3'/><worldbody><body name='b'/></worldbody></mujoco>");
    const auto main = [&](const std::string& policy, const std::string& option) {
        return d.write("main.xml", "<mujoco><compiler conflict='" + policy + "'/>" + option +
                                       "<asset><model name='c' file='child.xml'/></asset>"
                                       "<worldbody><attach model='c' body='b' prefix='p'/></worldbody></mujoco>");
    };
    const Spec kept = parse_mjcf_file(main("warning", ""));
    CHECK(kept.option.timestep == 0.002);
    const Spec merged = parse_mjcf_file(main("merge", "<option timestep='0.01' iterations='50'/>"));
    CHECK(merged.option.timestep == 0.001);
    CHECK(merged.option.iterations == 50);
    CHECK(merged.option.density == 3);
    main("merge", "<option density='4'/>");
    CHECK(contains(d.error("main.xml"), "option 'density' differs"));
    main("error", "<option timestep='0.01'/>");
    CHECK(contains(d.error("main.xml"), "option 'timestep' differs"));
}

TEST_CASE("a cable is a chain of bodies with names, balls, excludes and a site at each end") {
    const Spec s = read("<worldbody><composite prefix='c' type='cable' curve='s' count='5' size='2' offset='0 0 1' initial='free'>"
                        "<joint kind='main' damping='3' armature='2'/><geom type='capsule' size='.1'/></composite></worldbody>");
    const SpecBody* b = &s.world.bodies.front();
    const char* const names[] = {"cB_first", "cB_1", "cB_2", "cB_last"};
    for (int i = 0; i < 4; ++i) {
        CHECK(b->name == names[i]);
        CHECK(b->pos[0] == (i == 0 ? 0 : 0.5));
        CHECK(b->joints.front().type == (i == 0 ? int(Free::type) : int(Ball::type)));
        CHECK(b->joints.front().damping[0] == (i == 0 ? 0 : 3));
        CHECK(b->geoms.front().size[1] == 0.25);
        CHECK(b->sites.size() == (i == 0 || i == 3 ? 1 : 0));
        if (i < 3) b = &b->bodies.front();
    }
    CHECK(b->sites.front().name == "cS_last");
    CHECK(b->sites.front().pos[0] == 0.5);
    REQUIRE(s.excludes.size() == 3);
    CHECK(s.excludes.back().body2 == "cB_last");
    CHECK(contains(error_in_body("<composite type='cable' count='3'/>"), "must be of type capsule"));
    CHECK(contains(error_in_body("<composite type='cable' count='3'><geom type='capsule' size='1' pos='1 1 1'/></composite>"),
                   "unknown attribute 'pos' in a composite"));
    CHECK(contains(error_in_body("<composite type='cable' count='3 3'/>"), "one dimension"));
    CHECK(contains(error_in_body("<composite type='cable' count='100000'/>"), "up to 2000"));
    CHECK(contains(error_in_body("<composite type='cable' count='3' curve='tan(s)'/>"), "unknown word 'tan(s)'"));
    CHECK(contains(error_in_body("<composite type='cable' count='3' vertex='0 0 0 1 0 0'/>"), "both 'vertex' and 'count'"));
}
