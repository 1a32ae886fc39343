// What a model file means: defaults, units, orientations, frames and the sections of the whole model.
#include "io/mjcf_support.hpp"

#include <numbers>

using namespace mjx;
using namespace mjx_test;

namespace {

constexpr double pi = std::numbers::pi;
const double h = std::sqrt(0.5);

Spec body(const std::string& contents, const std::string& before = "") {
    return read(before + "<worldbody><body name='b'>" + contents + "</body></worldbody>");
}
const SpecGeom& first_geom(const Spec& s) { return s.world.bodies.front().geoms.front(); }
const SpecJoint& first_joint(const Spec& s) { return s.world.bodies.front().joints.front(); }

}  // namespace

TEST_CASE("an empty model has MuJoCo's defaults") {
    const Spec s = read("");
    CHECK(s.option.timestep == 0.002);
    CHECK(s.option.solver == solver_type::newton);
    CHECK(s.option.sleep_tolerance == 1e-3);
    CHECK(s.world.name == "world");
    CHECK(s.compiler.autolimits);
}

TEST_CASE("every element knows its place") {
    const Spec s = parse_mjcf_string("<mujoco>\n<worldbody>\n<geom size='1'/>\n<geom size='1'/>\n</worldbody>\n</mujoco>", "file");
    CHECK(s.world.geoms.back().where == "file:4: /mujoco/worldbody/geom[2]");
}

TEST_CASE("the orientations of one frame written six ways are the same") {
    // a quarter turn about x
    const Quatd expected{{h, h, 0, 0}};
    for (const char* attribute : {"quat='2 2 0 0'", "axisangle='3 0 0 90'", "euler='90 0 0'", "xyaxes='2 0 0 0.3 0 1'", "zaxis='0 -5 0'"})
        CHECK(close(first_geom(body(std::string("<geom size='1' ") + attribute + "/>")).quat, expected));
    CHECK(close(first_geom(body("<geom size='1' euler='" + std::to_string(pi / 2) + " 0 0'/>", "<compiler angle='radian'/>")).quat,
                expected, 1e-6));
}

TEST_CASE("euler angles follow eulerseq: small letters turn with the body, capitals do not") {
    const Quatd x{{h, h, 0, 0}}, y{{h, 0, h, 0}}, z{{h, 0, 0, h}};
    const auto quat = [&](const std::string& sequence) {
        return first_geom(body("<geom size='1' euler='90 90 90'/>", "<compiler eulerseq='" + sequence + "'/>")).quat;
    };
    CHECK(close(quat("xyz"), x * y * z));
    CHECK(close(quat("XYZ"), z * y * x));
    CHECK(close(quat("zyx"), z * y * x));
    CHECK(close(quat("zXz"), x * z * z));
    CHECK(contains(error_in("<compiler eulerseq='xyw'/>"), "expected three letters"));
    CHECK(contains(error_in("<compiler eulerseq='xy'/>"), "expected three letters"));
}

TEST_CASE("directions without length are refused") {
    CHECK(contains(error_in_body("<geom size='1' zaxis='0 0 0'/>"), "'zaxis' has no direction"));
    CHECK(contains(error_in_body("<geom size='1' axisangle='0 0 0 1'/>"), "'axisangle' has no direction"));
    CHECK(contains(error_in_body("<geom size='1' xyaxes='1 0 0 2 0 0'/>"), "y axis"));
    CHECK(contains(error_in_body("<geom size='1' quat='0 0 0 0'/>"), "zero quaternion"));
}

TEST_CASE("fromto gives position, orientation and half length") {
    const Spec capsule_model = body("<geom type='capsule' size='.1' fromto='0 0 0 0 0 -2'/>");
    const SpecGeom& capsule = first_geom(capsule_model);
    CHECK(close(capsule.pos, Vec3d{{0, 0, -1}}));
    CHECK(close(capsule.quat, Quatd{{1, 0, 0, 0}}));
    CHECK(capsule.size[1] == 1);
    const Spec box_model = body("<geom type='box' size='.1' fromto='1 0 0 3 0 0'/>");
    const SpecGeom& box = first_geom(box_model);
    CHECK(close(box.size, Vec3d{{0.1, 0.1, 1}}));
    CHECK(close(rotate(box.quat, Vec3d{{0, 0, 1}}), Vec3d{{-1, 0, 0}}));
    CHECK(contains(error_in_body("<geom size='.1' fromto='0 0 0 0 0 1'/>"), "expected capsule"));
    CHECK(contains(error_in_body("<geom type='capsule' size='.1' fromto='0 0 0 0 0 0'/>"), "coincide"));
    CHECK(contains(error_in_body("<geom type='capsule' size='.1' pos='1 0 0' fromto='0 0 0 0 0 1'/>"), "both 'pos' and 'fromto'"));
}

TEST_CASE("degrees become radians where they are angles") {
    const Spec hinge = body("<joint ref='90' springref='180' range='-90 90'/>");
    CHECK(first_joint(hinge).ref == Approx(pi / 2));
    CHECK(first_joint(hinge).springref == Approx(pi));
    CHECK(first_joint(hinge).range[1] == Approx(pi / 2));
    const Spec slide = body("<joint type='slide' ref='90' range='-90 90'/>");
    CHECK(first_joint(slide).ref == 90);
    CHECK(first_joint(slide).range[1] == 90);
    const Spec ball = body("<joint type='ball' range='0 90'/>");
    CHECK(first_joint(ball).range[1] == Approx(pi / 2));
    // as in MuJoCo, a range that limits nothing stays as written
    CHECK(first_joint(body("<joint limited='false' range='-90 90'/>")).range[1] == 90);
    const Spec radian = body("<joint ref='1' range='-1 1'/>", "<compiler angle='radian'/>");
    CHECK(first_joint(radian).ref == 1);
    CHECK(first_joint(radian).range[0] == -1);
}

TEST_CASE("the compiler section counts wherever it stands, and several add up") {
    const Spec s = read(
        "<worldbody><geom size='1' euler='0 0 1'/></worldbody><compiler angle='radian' boundmass='1'/><compiler boundinertia='2'/>");
    CHECK(s.world.geoms.front().quat[0] == Approx(std::cos(0.5)));
    CHECK(s.compiler.boundmass == 1);
    CHECK(s.compiler.boundinertia == 2);
}

TEST_CASE("default classes inherit from the class they are in, and elements from theirs") {
    const std::string defaults =
        "<default><geom size='1' density='5'/><joint damping='3'/>"
        "<default class='a'><default class='aa'><geom friction='7'/></default><geom density='6'/></default></default>";
    const Spec s = read(
        defaults +
        "<worldbody><geom/><geom class='a'/><geom class='aa'/>"
        "<body childclass='a'><joint/><geom/><geom class='main'/><body><geom/></body><frame childclass='aa'><geom/></frame></body></worldbody>");
    const std::vector<SpecGeom> world(s.world.geoms.begin(), s.world.geoms.end());
    CHECK(world[0].density == 5);
    CHECK(world[1].density == 6);
    CHECK(world[2].density == 6);  // the class's own elements come before the classes nested in it
    CHECK(world[2].friction[0] == 7);
    CHECK(world[2].friction[1] == 0.005);
    const SpecBody& b = s.world.bodies.front();
    CHECK(b.joints.front().damping[0] == 3);
    CHECK(b.geoms.front().density == 6);
    CHECK(std::next(b.geoms.begin())->density == 5);
    CHECK(b.bodies.front().geoms.front().density == 6);
    CHECK(b.geoms.back().friction[0] == 7);
}

TEST_CASE("a list shorter than its field replaces the beginning only") {
    const Spec s = body("<joint stiffness='9'/>", "<default><joint stiffness='1 2 3' solimplimit='.5 .6 .7'/></default>");
    CHECK(close(first_joint(s).stiffness, Vec3d{{9, 2, 3}}));
    CHECK(close(first_joint(s).solimp_limit, SolImp{{0.5, 0.6, 0.7, 0.5, 2}}));
}

TEST_CASE("a free joint takes no defaults") {
    const Spec s = body("<freejoint name='f' align='false'/>", "<default><joint damping='3' armature='1'/></default>");
    CHECK(first_joint(s).type == jnt::free);
    CHECK(first_joint(s).damping[0] == 0);
    CHECK(first_joint(s).align == Tristate::no);
}

TEST_CASE("frames turn and move everything in them") {
    // a quarter turn about z at (1, 0, 0), and one about x within
    const Spec s = body(
        "<frame pos='1 0 0' euler='0 0 90'>"
        "<joint pos='1 0 0' axis='1 0 0'/><geom size='1' pos='0 1 0'/><site pos='0 0 1'/><camera pos='1 0 0'/><light pos='1 0 0' dir='1 0 0'/>"
        "<frame pos='0 0 2' euler='90 0 0'><geom size='1' pos='0 1 0'/></frame>"
        "<body pos='1 1 0' euler='90 0 0'/></frame>");
    const SpecBody& b = s.world.bodies.front();
    const Quatd x{{h, h, 0, 0}}, z{{h, 0, 0, h}};
    CHECK(close(b.joints.front().pos, Vec3d{{1, 1, 0}}));
    CHECK(close(b.joints.front().axis, Vec3d{{0, 1, 0}}));
    CHECK(close(b.geoms.front().pos, Vec3d{{0, 0, 0}}));
    CHECK(close(b.geoms.front().quat, z));
    CHECK(close(b.sites.front().pos, Vec3d{{1, 0, 1}}));
    CHECK(close(b.cameras.front().pos, Vec3d{{1, 1, 0}}));
    CHECK(close(b.lights.front().pos, Vec3d{{1, 1, 0}}));
    CHECK(close(b.lights.front().dir, Vec3d{{0, 1, 0}}));
    CHECK(close(b.geoms.back().pos, Vec3d{{1, 0, 3}}));
    CHECK(close(b.geoms.back().quat, z * x));
    CHECK(close(b.bodies.front().pos, Vec3d{{0, 1, 0}}));
    CHECK(close(b.bodies.front().quat, z * x));
}

TEST_CASE("a frame leaves the axis of a ball and a free joint alone") {
    const Spec s = body("<frame pos='1 0 0' euler='90 0 0'><joint type='ball' pos='0 0 1'/></frame>");
    CHECK(close(first_joint(s).axis, Vec3d{{0, 0, 1}}));
    CHECK(close(first_joint(s).pos, Vec3d{{1, -1, 0}}));
    const Spec f = body("<frame pos='1 0 0'><freejoint/></frame>");
    CHECK(close(first_joint(f).pos, Vec3d{{0, 0, 0}}));
}

TEST_CASE("options and flags are read, the later section winning") {
    const Spec s = read("<option timestep='0.01' gravity='0 0 -1' integrator='RK4' cone='elliptic' solver='PGS' actuatorgroupdisable='0 3'>"
                        "<flag contact='disable' energy='enable' gravity='disable'/></option>"
                        "<option timestep='0.02'><flag gravity='enable'/></option>");
    CHECK(s.option.timestep == 0.02);
    CHECK(s.option.gravity[2] == -1);
    CHECK(s.option.integrator == integrator_type::rk4);
    CHECK(s.option.cone == cone::elliptic);
    CHECK(s.option.solver == solver_type::pgs);
    CHECK(s.option.disableflags == disable::contact);
    CHECK(s.option.enableflags == enable::energy);
    CHECK(s.option.disableactuator == 9);
    CHECK(contains(error_in("<option actuatorgroupdisable='31'/>"), "expected 0 to 30"));
}

TEST_CASE("statistic and size hold what is written") {
    const Spec s = read("<statistic extent='2' center='1 2 3'/><size memory='10M' nuserdata='4' nconmax='-1'/>");
    CHECK(*s.statistic.extent == 2);
    CHECK((*s.statistic.center)[2] == 3);
    CHECK_FALSE(s.statistic.meanmass);
    CHECK(s.nuserdata == 4);
    CHECK(contains(error_in("<statistic extent='0'/>"), "not positive"));
    CHECK(contains(error_in("<size memory='10X'/>"), "expected bytes"));
    CHECK(contains(error_in("<size nkey='-2'/>"), "expected -1 or more"));
}

TEST_CASE("inertial reads either kind of inertia") {
    const Spec s = body("<inertial pos='1 0 0' mass='2' diaginertia='1 2 3' euler='0 0 90'/>");
    CHECK(s.world.bodies.front().inertial->mass == 2);
    CHECK(close(s.world.bodies.front().inertial->quat, Quatd{{h, 0, 0, h}}));
    CHECK((*body("<inertial pos='0 0 0' mass='2' fullinertia='1 2 3 .1 .2 .3'/>").world.bodies.front().inertial->fullinertia)[5] == 0.3);
}

TEST_CASE("custom data and keyframes are kept") {
    const Spec s = read(
        "<custom><numeric name='n' size='3' data='1 2'/><text name='t' data='x y'/><tuple name='u'><element objtype='body' objname='b' prm='2'/></tuple></custom>"
        "<keyframe><key name='k' time='1' qpos='1 2' ctrl='3'/><key/></keyframe>");
    CHECK(s.numerics.front().data == std::vector<double>{1, 2, 0});
    CHECK(s.texts.front().data == "x y");
    CHECK(s.tuples.front().entries.front().objtype == obj::body);
    CHECK(s.keys.front().qpos == std::vector<double>{1, 2});
    CHECK(s.keys.size() == 2);
    CHECK(contains(error_in("<custom><numeric name='n' size='1' data='1 2'/></custom>"), "more numbers than 'size'"));
    CHECK(contains(error_in("<custom><numeric name='n' size='0'/></custom>"), "expected 1 to 500"));
    CHECK(contains(error_in("<custom><tuple name='u'><element objtype='thing' objname='b'/></tuple></custom>"),
                   "unknown kind of object 'thing'"));
}
