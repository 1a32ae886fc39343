// Every kind of mistake in a model file gives a message that names the file, the element and what was expected.
#include "io/mjcf_support.hpp"

#include <clocale>

using namespace mjx_test;

TEST_CASE("an unknown element is named with its place") {
    const std::string message = error_in_body("<geom size='1'/><geum size='1'/>");
    CHECK(contains(message, "model:1: /mujoco/worldbody/body[b]/geum: unknown element <geum> in <body>, expected one of"));
    CHECK(contains(message, "'geom'"));
    CHECK(contains(error_in("<bodies/>"), "/mujoco/bodies: unknown element"));
    CHECK(contains(error_in("<option><flags/></option>"), "unknown element <flags>"));
}

TEST_CASE("an unknown attribute is named, with those that exist") {
    const std::string message = error_in_body("<geom size='1'/><geom siz='1'/>");
    CHECK(contains(message, "/mujoco/worldbody/body[b]/geom[2]: unknown attribute 'siz', expected"));
    CHECK(contains(message, "'size'"));
    CHECK(contains(error_in("<worldbody name='w'/>"), "unknown attribute 'name', expected none"));
}

TEST_CASE("a missing required attribute is named") {
    CHECK(contains(error_in_body("<inertial pos='0 0 0'/>"), "/inertial: missing attribute 'mass'"));
    CHECK(contains(error_in("<contact><exclude body1='a'/></contact>"), "missing attribute 'body2'"));
    CHECK(contains(error_in("<sensor><user/></sensor>"), "missing attribute 'dim'"));
}

TEST_CASE("a wrong count says how many there are and how many were expected") {
    CHECK(contains(error_in_body("<geom pos='1 2'/>"), "attribute 'pos' has 2 numbers, expected 3"));
    CHECK(contains(error_in_body("<geom size='1 2 3 4'/>"), "attribute 'size' has 4 numbers, expected 1 to 3"));
    CHECK(error_in_body("<joint ref='' damping=' '/>").empty());  // as MuJoCo: an empty list is not written
    CHECK(contains(error_in_body("<joint damping='1 2 3 4'/>"), "expected 1 to 3"));
}

TEST_CASE("what is not a number is quoted") {
    CHECK(contains(error_in_body("<geom pos='1 2 x'/>"), "'x' is not a finite number"));
    CHECK(contains(error_in_body("<geom size='1,5'/>"), "'1,5' is not a finite number"));
    CHECK(contains(error_in_body("<geom mass='nan'/>"), "'nan' is not a finite number"));
    CHECK(contains(error_in_body("<geom mass='1e400'/>"), "'1e400' is not a finite number"));
    CHECK(contains(error_in_body("<geom mass='inf'/>"), "'inf' is not a finite number"));
    CHECK(contains(error_in_body("<geom condim='3.5'/>"), "'3.5' is not an integer"));
    CHECK(contains(error_in_body("<geom condim='99999999999'/>"), "is not an integer in range"));
    CHECK(error_in_body("<geom size='+1'/>").empty());
}

TEST_CASE("an unknown keyword is named, with those that exist") {
    CHECK(contains(error_in_body("<geom type='cube'/>"), "attribute 'type': unknown keyword 'cube', expected one of 'plane', 'hfield'"));
    CHECK(contains(error_in_body("<joint limited='yes'/>"), "unknown keyword 'yes', expected one of 'false', 'true', 'auto'"));
    CHECK(contains(error_in("<option><flag gravity='off'/></option>"), "expected one of 'disable', 'enable'"));
    CHECK(contains(error_in("<option solver='newton'/>"), "expected one of 'PGS', 'CG', 'Newton', 'CachedPGS', 'Penalty'"));
    CHECK(contains(error_in("<option integrator='euler'/>"), "'implicitfast', 'discrete', 'implicit_spring_damper'"));
    CHECK(contains(error_in("<sensor><contact data='force found'/></sensor>"), "misorders a keyword"));
    CHECK(contains(error_in("<option integrator=''/>"), "unknown keyword ''"));
}

TEST_CASE("an element that may appear once appears once") {
    CHECK(contains(error_in("<option><flag/><flag/></option>"), "/option/flag[2]: element <flag> appears more than once"));
    CHECK(contains(error_in("<default><geom/><geom/></default>"), "more than once"));
}

TEST_CASE("attributes that exclude or need each other are checked") {
    CHECK(contains(error_in_body("<geom size='1' euler='0 0 0' quat='1 0 0 0'/>"), "at most one of 'quat', 'axisangle'"));
    CHECK(contains(error_in("<equality><connect body1='b'/></equality>"), "expected one of 'site1 and site2', 'body1 and anchor'"));
    CHECK(contains(error_in("<sensor><framepos objtype='body' objname='b' reftype='body'/></sensor>"), "together"));
    CHECK(contains(error_in("<sensor><rangefinder/></sensor>"), "expected one of 'site', 'camera'"));
    CHECK(contains(error_in_body("<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' euler='1 0 0'/>"), "conflicting"));
}

TEST_CASE("defaults have no name, class or target") {
    CHECK(contains(error_in("<default><geom name='x'/></default>"), "unknown attribute 'name' in a default"));
    CHECK(contains(error_in("<default><motor joint='x'/></default>"), "unknown attribute 'joint' in a default"));
}

TEST_CASE("the root must be mujoco") {
    CHECK(contains(error_of("<model/>"), "root element <model>, expected <mujoco>"));
    CHECK(contains(error_of("not xml"), "XML"));
}

TEST_CASE("physics that mjx does not have is an error") {
    CHECK(contains(error_in_body("<composite type='cloth' count='3 3'/>"), "composite 'cloth' is not supported"));
    CHECK(contains(error_in_body("<flexcomp name='f'/>"), "<flexcomp> is not supported"));
    CHECK(contains(error_in("<deformable><flex body='b' element='0 1'/></deformable>"), "not supported"));
    CHECK(contains(error_in("<extension><plugin plugin='p'/></extension>"), "plugin 'p' is not supported"));
    CHECK(contains(error_in("<sensor><plugin plugin='p'/></sensor>"), "not supported"));
    CHECK(contains(error_in("<actuator><plugin plugin='p' joint='j'/></actuator>"), "not supported"));
    CHECK(contains(error_in("<equality><flex flex='f'/></equality>"), "not supported"));
    CHECK(contains(error_in("<compiler coordinate='global'/>"), "global coordinates are not supported"));
}

TEST_CASE("pictures are checked and dropped") {
    CHECK(error_in("<visual><map znear='0.1'/><rgba haze='1 1 1 1'/></visual>"
                   "<asset><texture name='t' type='2d' builtin='checker' width='8' height='8'/><material name='m' texture='t'/>"
                   "<skin name='s'><bone body='b'/></skin></asset>")
              .empty());
    CHECK(contains(error_in("<visual><map znera='0.1'/></visual>"), "unknown attribute 'znera'"));
    CHECK(contains(error_in("<asset><material shininess='a'/></asset>"), "not a finite number"));
}

TEST_CASE("names must be new among their kind") {
    CHECK(contains(error_in_body("<geom name='g' size='1'/><geom name='g' size='1'/>"), "geom[g]: repeated name 'g'"));
    CHECK(contains(error_in("<worldbody><body name='world'/></worldbody>"), "repeated name 'world'"));
    CHECK(error_in_body("<geom name='g' size='1'/><site name='g'/>").empty());
    CHECK(contains(error_in("<default><default class='a'/><default class='a'/></default>"), "repeated default class 'a'"));
}

TEST_CASE("classes must exist") {
    CHECK(contains(error_in_body("<geom class='c' size='1'/>"), "unknown default class 'c'"));
    CHECK(contains(error_in("<worldbody><body childclass='c'/></worldbody>"), "unknown default class 'c'"));
    CHECK(contains(error_in("<default><default/></default>"), "without a name"));
    CHECK(contains(error_in("<default class='top'/>"), "expected 'main'"));
}

TEST_CASE("the world has no joints and no inertia") {
    CHECK(contains(error_in("<worldbody><joint/></worldbody>"), "the world cannot have <joint>"));
    CHECK(contains(error_in("<worldbody><frame><freejoint/></frame></worldbody>"), "the world cannot have <freejoint>"));
    CHECK(contains(error_in("<worldbody><inertial pos='0 0 0' mass='1'/></worldbody>"), "the world cannot have <inertial>"));
}

TEST_CASE("a comma locale does not change a model") {
    const char* found = nullptr;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
        if (!found) found = std::setlocale(LC_ALL, name);
    const mjx::Spec spec = read("<option timestep='0.125'/>");
    CHECK(spec.option.timestep == 0.125);
    std::setlocale(LC_ALL, "C");
}

TEST_CASE("deeply nested models are refused without a crash") {
    std::string text = "<mujoco><worldbody>";
    for (int i = 0; i < 100000; ++i) text += "<body>";
    CHECK(contains(error_of(text), "deeper than"));
}

TEST_CASE("no truncation and no changed character of a model crashes the reader") {
    const std::string text =
        "<mujoco model='m'><compiler angle='radian'/><default><default class='c'><geom size='.1'/></default></default>"
        "<worldbody><replicate count='2' offset='1 0 0'><body name='a' euler='1 0 0'><joint name='j' range='0 1'/><geom class='c'/></body></replicate></worldbody>"
        "<actuator><position joint='j0' kp='3'/></actuator><sensor><jointpos joint='j1'/></sensor><keyframe><key qpos='0 1'/></keyframe></mujoco>";
    REQUIRE(error_of(text).empty());
    for (std::size_t n = 0; n < text.size(); ++n) {
        CHECK_FALSE(error_of(text.substr(0, n)).empty());
        for (const char c : {'<', '"', '\'', '/', '-', '9', 'e', ' ', '\xff'}) {
            std::string changed = text;
            changed[n] = c;
            error_of(changed);
        }
    }
}
