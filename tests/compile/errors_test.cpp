// Models that cannot be: each is a model_error whose message names the element and says what is wrong.
#include "catch.hpp"
#include "load.hpp"

#include <limits>
#include <utility>

using namespace mjx;

namespace {

struct Wrong {
    const char* body;    // inside worldbody
    const char* others;  // after it
    const char* says;    // part of the message
};

const Wrong wrongs[] = {
    {"<body><joint/><geom size='1' mass='-1'/></body>", "", "geom: mass, inertia or density is negative"},
    {"<geom size='0'/>", "", "size 0 must be positive"},
    {"<geom type='capsule' size='1 0'/>", "", "size 1 must be positive"},
    {"<geom size='1' condim='2'/>", "", "condim is 2, expected 1, 3, 4 or 6"},
    {"<body><joint/></body>", "", "body: moves but has no mass"},
    {"<body><joint axis='0 0 0'/><geom size='1'/></body>", "", "axis is too small"},
    {"<body><joint range='1 0' limited='true'/><geom size='1'/></body>", "", "invalid range"},
    {"<body><joint type='ball'/><joint/><geom size='1'/></body>", "", "ball joint cannot be followed"},
    {"<body><joint type='ball'/><joint type='slide'/><joint type='slide'/><joint type='slide'/><joint type='slide'/><geom size='1'/></body>",
     "", "more than 6 degrees of freedom"},
    {"<body><body><freejoint/><geom size='1'/></body></body>", "", "child of the world"},
    {"<body><freejoint/><joint/><geom size='1'/></body>", "", "must be the only joint"},
    {"<body><body mocap='true'/></body>", "", "mocap body must be a fixed child"},
    {"<body><joint/><geom type='plane' size='1 1 1'/><geom size='1'/></body>", "", "a plane needs a static body"},
    {"<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 5'/></body>", "", "A + B >= C"},
    {"<body><joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 2 0 0'/></body>", "", "positive eigenvalues"},
    {"<body name='b'/>", "<contact><exclude body1='b' body2='c'/></contact>", "exclude: unknown body 'c'"},
    {"<geom name='g' size='1'/>", "<contact><pair geom1='g' geom2='h'/></contact>", "pair: unknown geom 'h'"},
    {"<body name='a'><joint/><geom size='1'/></body>", "<equality><weld body1='a' body2='a'/></equality>", "expected two different ones"},
    {"<site name='a'/>", "<tendon><spatial><site site='a'/></spatial></tendon>", "at least two objects"},
    {"<site name='a'/><geom name='g' type='box' size='1 1 1'/>",
     "<tendon><spatial><site site='a'/><geom geom='g'/><site site='a'/></spatial></tendon>", "wraps around spheres and cylinders"},
    {"<body><joint name='j'/><geom size='1'/></body>", "<actuator><motor joint='k'/></actuator>", "motor: unknown joint 'k'"},
    {"<body><joint name='j'/><geom size='1'/></body>", "<actuator><position joint='j' inheritrange='1'/></actuator>", "has no range"},
    {"<body><joint name='j' type='ball'/><geom size='1'/></body>", "<sensor><jointpos joint='j'/></sensor>", "must be a slide or hinge"},
    {"<body><joint name='j'/><geom size='1'/></body>", "<sensor><jointlimitpos joint='j'/></sensor>", "must be limited"},
    {"<body><joint/><geom size='1'/></body>", "<keyframe><key qpos='1 2'/></keyframe>", "qpos has 2 numbers, expected 1"},
    {"<frame name='f'/><frame name='f'/>", "", "frame[f]: repeated name 'f', expected a name no other frame has"},
    {"<geom size='1' material='wood'/>", "", "geom: attribute 'material': unknown material 'wood'"},
    {"<site material='wood'/>", "", "site: attribute 'material': unknown material 'wood'"},
    {"", "<asset><material name='m' texture='t'/></asset>", "material[m]: attribute 'texture': unknown texture 't'"},
    {"", "<asset><material name='m'/><material name='m'/></asset>", "repeated name 'm', expected a name no other material has"},
    {"", "<asset><texture type='2d' builtin='flat' width='1' height='1'/></asset>", "texture: missing attribute 'name'"},
    {"<body><body><geom size='1' user='1 2'/></body></body>", "<size nuser_geom='1'/>",
     "geom: attribute 'user' has 2 numbers, expected at most 1 (nuser_geom)"},
    {"", "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' texcoord='0 0'/></asset>", "attribute 'texcoord' has 2 numbers"},
    {"<body><joint/><joint/><geom size='1'/></body>", "", "body: its inertia is not finite or not positive"},
    {"", "<size nuserdata='-1'/>", "size: attribute 'nuserdata' is negative"},
    {"", "<size memory='1 M'/>", "size: attribute 'memory' is '1 M'"},
    {"", "<visual><map znear='0'/></visual>", "map: attribute 'znear' is not positive"},
};

template <class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (const model_error& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Impossible models are errors that say what is wrong and where") {
    for (const Wrong& wrong : wrongs) {
        CAPTURE(wrong.body, wrong.others);
        const std::string text = std::string("<mujoco><worldbody>") + wrong.body + "</worldbody>" + wrong.others + "</mujoco>";
        const std::string message = message_of([&] { load_model_string(text); });
        CAPTURE(message);
        CHECK(message.find(wrong.says) != std::string::npos);
        CHECK(message.find("/mujoco/") != std::string::npos);
    }
}

TEST_CASE("What MuJoCo lets pass loads") {
    const char* passing[] = {
        "<frame name='f'/><replicate count='2'><frame name='g'/></replicate><frame name='g'/>",
        "</worldbody><size memory=' 4M ' nuser_geom='2'/><worldbody><geom size='1' user='1 2'/>",
        "</worldbody><asset><material name='m' texture='t'/><texture name='t' type='2d' builtin='flat' width='1' height='1'/>"
        "<texture type='skybox' builtin='flat' width='8'/></asset><worldbody><geom size='1' material='m'/>",
        "<geom size='1' pos='' friction=' '/>",
        "<camera resolution='2 2' output='depth rgb'/>",
        "</worldbody><compiler fusestatic='true'/><worldbody><body><body><freejoint/><geom size='1'/></body></body>",
    };
    for (const char* body : passing)
        CHECK(message_of([&] { load_model_string("<mujoco><worldbody>" + std::string(body) + "</worldbody></mujoco>"); }) == "");
}

TEST_CASE("Elements made in C++ are named by their kind and name") {
    Spec spec;
    SpecBody& b = spec.world.add_body({.name = "arm"});
    b.add_joint({.name = "hinge"});
    CHECK_THROWS_WITH(compile_spec(spec),
                      "body 'arm': moves but has no mass or inertia; the options repair_inertia and link_mass for URDF give it some");
    b.add_geom({.name = "rod", .type = shape::capsule, .size = {0.1, 0}});
    CHECK_THROWS_WITH(compile_spec(spec), "geom 'rod': size 1 must be positive");
    b.geoms.front().size = {0.1, 0.2};
    b.add_geom({.name = "rod", .size = {0.1}});
    CHECK(message_of([&] { compile_spec(spec); }).find("repeated name 'rod'") != std::string::npos);
    b.geoms.back() = {.name = "ball", .size = {0.1}, .fromto = {0, 0, 0, 0, 0, 1}};
    CHECK_THROWS_WITH(compile_spec(spec), "geom 'ball': fromto needs a capsule, cylinder, box or ellipsoid");
}

TEST_CASE("Numbers out of all proportion are an error, not infinite constants") {
    Spec spec;
    SpecBody& b = spec.world.add_body({.name = "b"});
    b.add_joint({});
    b.add_geom({.size = {1e150}});
    CHECK_THROWS_AS(compile_spec(spec), model_error);
    b.geoms.front().size = {1};
    b.pos[0] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(compile_spec(spec), model_error);
}

TEST_CASE("Times and rotations that cannot be are errors that say whose they are") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double timestep : {nan, std::numeric_limits<double>::infinity()}) {
        Spec spec;
        spec.option.timestep = timestep;
        CHECK(message_of([&] { compile_spec(spec); }).find("option timestep is not") == 0);
    }
    for (const double timestep : {0.0, -0.002}) {
        Spec spec;
        spec.option.timestep = timestep;
        CHECK(compile_spec(spec).opt.timestep == timestep);
        spec.add_sensor({.name = "s", .type = sens::clock, .nsample = 3});
        CHECK(message_of([&] { compile_spec(spec); }).find("option timestep is not positive") == 0);
    }
    for (const Quatd& wrong : {Quatd{{0, 0, 0, 0}}, Quatd{{1, nan, 0, 0}}}) {
        Spec spec;
        SpecBody& b = spec.world.add_body({.name = "b"});
        b.add_geom({.name = "g", .size = {1}});
        b.add_site({.name = "s"});
        b.add_camera({.name = "c"});
        b.inertial = {.mass = 1, .diaginertia = {1, 1, 1}};
        CHECK(message_of([&] { compile_spec(spec); }) == "");
        const auto refused = [&](Quatd& quat, const std::string& whose) {
            const Quatd right = std::exchange(quat, wrong);
            CHECK(message_of([&] { compile_spec(spec); }) == whose + ": its quaternion is zero or not finite, expected a rotation");
            quat = right;
        };
        refused(b.quat, "body 'b'");
        refused(b.geoms.front().quat, "geom 'g'");
        refused(b.sites.front().quat, "site 's'");
        refused(b.cameras.front().quat, "camera 'c'");
        refused(b.inertial->quat, "inertial of body 'b'");
    }
}
