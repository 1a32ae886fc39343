// Assets, contact, equality, tendons, actuators and sensors. The actuator parameters are those that MuJoCo 3.12 makes of the same file.
#include "io/mjcf_support.hpp"
#include "mjx/io/mjcf/schema.hpp"

using namespace mjx;
using namespace mjx_test;

namespace {

const std::string actuators = R"(
 <default><default class="m"><dcmotor motorconst="0.05" resistance="2" cogging="0.1 7 0.2"/></default>
 <default class="pos"><position kp="100" kv="3"/></default></default>
 <actuator>
  <dcmotor joint="j" nominal="12 0.5 400" damping="1e-5" inductance="0.001" saturation="0 3" thermal="5 0 50 0.004 25 20"
           lugre="100 1 0.1 0.2 0.01" controller="1 2 3 4 5 6" input="pos vel"/>
  <dcmotor joint="j" class="m" controller="1 0 0" input="pos"/>
  <muscle joint="j" lengthrange="0 1" range="0.8 1.1" scale="300" vmax="2" tausmooth="0.1"/>
  <position joint="j" class="pos" dampratio="0.5"/>
  <velocity joint="j" class="pos"/>
  <intvelocity joint="j" class="pos" kv="2" actrange="-1 1"/>
  <cylinder joint="j" diameter="2" bias="1 2 3" timeconst="0.5"/>
  <damper joint="j" kv="2" ctrlrange="0 1"/>
  <pid joint="j" kp="10" kv="2" ki="3" imax="4" input="pos vel ff"/>
  <orientation joint="k" kp="7" kv="1" input="quat"/>
  <motor class="pos" joint="j"/>
 </actuator>)";

struct Expected {
    int dyntype, gaintype, biastype;
    std::vector<double> gainprm, biasprm, dynprm;
};
const Expected expected[] = {
    {5, 3, 3, {0.71424, 0.02976, 0.004, 25, 1, 2, 3, 6, 0}, {0, 0, 0, 0.1, 0.2, 0.01}, {0.001400089606, 0, 5, 10, 20, 100, 1, 4, 5}},
    {5, 3, 3, {2, 0.05, 0, 0, 1, 0, 0, 0, 0}, {0.1, 7, 0.2}, {0}},
    {4, 2, 2, {0.8, 1.1, -1, 300, 0.5, 1.6, 2, 1.3, 1.2}, {0.8, 1.1, -1, 300, 0.5, 1.6, 2, 1.3, 1.2}, {0.01, 0.04, 0.1}},
    {0, 0, 1, {100}, {0, -100, 0.5}, {1}},  // a damping ratio stays positive until the inertia is known
    {0, 0, 1, {100}, {0, 0, -100}, {1}},
    {1, 0, 1, {100}, {0, -100, -2}, {1}},
    {2, 0, 1, {3.14159265358979}, {1, 2, 3}, {0.5}},
    {0, 1, 0, {0, 0, -2}, {0}, {1}},
    {6, 5, 1, {3}, {0, -10, -2}, {4}},
    {0, 4, 4, {7}, {0, -7, -1}, {1}},
    {0, 0, 0, {1}, {0, -100, -3}, {1}},
};

template <int N>
void check_parameters(const Vec<double, N>& got, const std::vector<double>& wanted) {
    for (int i = 0; i < N; ++i) {
        const auto k = static_cast<std::size_t>(i);
        CHECK(got[i] == Approx(k < wanted.size() ? wanted[k] : 0).epsilon(1e-9));
    }
}

std::string actuator_error(const std::string& text) { return error_in("<actuator>" + text + "</actuator>"); }

}  // namespace

TEST_CASE("actuator shortcuts have MuJoCo's parameters") {
    const Spec s = read(actuators);
    REQUIRE(s.actuators.size() == 11);
    auto wanted = std::begin(expected);
    for (const SpecActuator& a : s.actuators) {
        INFO(a.where);
        CHECK(a.dyntype == wanted->dyntype);
        CHECK(a.gaintype == wanted->gaintype);
        CHECK(a.biastype == wanted->biastype);
        check_parameters(a.gainprm, wanted->gainprm);
        check_parameters(a.biasprm, wanted->biasprm);
        check_parameters(a.dynprm, wanted->dynprm);
        ++wanted;
    }
    CHECK(s.actuators.front().forcerange[1] == Approx(0.08928));
    CHECK(s.actuators.front().actdim == 5);
    CHECK(s.actuators.front().ctrlspec == (ctrl_input::pos | ctrl_input::vel));
}

TEST_CASE("wrong actuators are refused") {
    CHECK(contains(actuator_error("<motor/>"), "no transmission target"));
    CHECK(contains(actuator_error("<position joint='j' kv='1' dampratio='1'/>"), "both 'kv' and 'dampratio'"));
    CHECK(contains(actuator_error("<position joint='j' kv='-1'/>"), "negative"));
    CHECK(contains(actuator_error("<position joint='j' ctrlrange='0 1' inheritrange='1'/>"), "both 'ctrlrange' and 'inheritrange'"));
    CHECK(contains(actuator_error("<damper joint='j' ctrlrange='-1 1'/>"), "negative"));
    CHECK(contains(actuator_error("<motor joint='j' cranklength='1'/>"), "slider-crank"));
    CHECK(contains(actuator_error("<motor joint='j' refsite='s'/>"), "'refsite' without 'site'"));
    CHECK(contains(actuator_error("<dcmotor joint='j'/>"), "motor constant is not positive"));
    CHECK(contains(actuator_error("<pid joint='j' input='vel pos'/>"), "in this order"));
    CHECK(contains(actuator_error("<muscle tendon='t' tausmooth='-1'/>"), "tausmooth"));
    CHECK(contains(actuator_error("<adhesion body='b' gain='-1' ctrlrange='0 1'/>"), "'gain' is negative"));
}

TEST_CASE("contact pairs start from MuJoCo's defaults and those of their class") {
    const Spec s = read(
        "<default><pair condim='4'/></default><contact><pair geom1='a' geom2='b' friction='2'/><exclude body1='c' body2='d'/></contact>");
    const SpecPair& p = s.pairs.front();
    CHECK(*p.condim == 4);
    CHECK(close(*p.friction, Vec<double, 5>{{2, 1, 0.005, 0.0001, 0.0001}}));
    CHECK(*p.margin == 0);
    CHECK(s.excludes.front().body2 == "d");
    CHECK(contains(error_in("<contact><pair geom1='a'/></contact>"), "expected 'geom1' and 'geom2'"));
}

TEST_CASE("equality data is laid out as in MuJoCo") {
    const Spec s = read(
        "<equality><connect body1='a' anchor='1 2 3'/><weld body1='a' body2='b' relpose='1 2 3 0 1 0 0' torquescale='4' active='false'/>"
        "<weld site1='s' site2='t'/><joint joint1='j' polycoef='0.5'/><tendon tendon1='t' tendon2='u'/></equality>");
    std::vector<SpecEquality> q(s.equalities.begin(), s.equalities.end());
    CHECK(q[0].type == eq::connect);
    CHECK(q[0].objtype == obj::body);
    CHECK(close(q[0].data, Vec<double, neqdata>{{1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1}}));
    CHECK(close(q[1].data, Vec<double, neqdata>{{0, 0, 0, 1, 2, 3, 0, 1, 0, 0, 4}}));
    CHECK_FALSE(q[1].active);
    CHECK(q[2].objtype == obj::site);
    CHECK(q[2].name2 == "t");
    CHECK(close(q[3].data, Vec<double, neqdata>{{0.5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}}));
    CHECK(q[3].objtype == obj::joint);
    CHECK(q[4].type == eq::tendon);
    CHECK(q[4].name2 == "u");
}

TEST_CASE("tendons keep their path") {
    const Spec s = read("<default><tendon damping='1 2'/></default><tendon><spatial name='t' springlength='0.5' stiffness='3'>"
                        "<site site='a'/><geom geom='g' sidesite='x'/><site site='b'/><pulley divisor='2'/><site site='c'/></spatial>"
                        "<fixed springlength='0 1'><joint joint='j' coef='-2'/></fixed></tendon>");
    const SpecTendon& t = s.tendons.front();
    REQUIRE(t.path.size() == 5);
    CHECK(t.path[1].sidesite == "x");
    CHECK(t.path[3].type == wrap::pulley);
    CHECK(t.path[3].prm == 2);
    CHECK(t.springlength[1] == 0.5);
    CHECK(t.damping[1] == 2);
    CHECK(t.actfrclimited == Tristate::automatic);
    CHECK(s.tendons.back().path[0].prm == -2);
    CHECK(contains(error_in("<tendon><spatial/></tendon>"), "without a path"));
}

TEST_CASE("the data of a text is an attribute or stands in the element, and namespaces at the root say nothing") {
    const Spec s = mjx::parse_mjcf_string("<mujoco xmlns='http://m' xmlns:x='http://x'><custom><text name='a' data='one'/>"
                                          "<text name='b'>\n <![CDATA[two < 3]]>\n</text></custom></mujoco>");
    CHECK(s.texts.front().data == "one");
    CHECK(s.texts.back().data == "two < 3");
    CHECK(contains(error_in("<custom><text name='a' data='x'>y</text></custom>"), "expected one of them"));
    CHECK(contains(error_in("<custom><text name='a'/></custom>"), "is empty"));
    CHECK(contains(error_in("<worldbody xmlns='x'/>"), "unknown attribute"));
}

TEST_CASE("every sensor of the schema that is supported is read") {
    const ElementRule& rule = mjcf::schema_rule("sensor");
    for (const ChildRule& child : rule.children) {
        if (child.tag == "plugin") continue;  // which has parameters of its own
        std::string attributes;
        for (const AttributeRule& a : child.rule->attributes) {
            if (!a.required) continue;
            const std::string_view first_word = a.words.substr(0, a.words.find('|'));
            attributes += joined({" ", a.name, "='", a.is_keyword() ? first_word : a.is_number() ? "1" : "x", "'"});
        }
        if (child.tag == "rangefinder") attributes += " site='x'";
        if (child.tag == "distance" || child.tag == "normal" || child.tag == "fromto") attributes += " geom1='x' body2='y'";
        INFO(child.tag << attributes);
        CHECK(error_in(joined({"<sensor><", child.tag, attributes, "/></sensor>"})).empty());
    }
}

TEST_CASE("sensors say what they measure") {
    const Spec s = read(
        "<sensor><framepos objtype='xbody' objname='b' reftype='site' refname='s' cutoff='1'/>"
        "<contact subtree1='b' geom2='g' data='found normal' reduce='maxforce' num='3'/><rangefinder camera='c' data='dist point'/>"
        "<insidesite site='s' objtype='geom' objname='g'/><distance geom1='g' body2='b'/><camprojection site='s' camera='c'/>"
        "<user dim='3' needstage='vel' datatype='axis' objtype='body' objname='b'/></sensor>");
    std::vector<SpecSensor> x(s.sensors.begin(), s.sensors.end());
    CHECK((x[0].objtype == obj::xbody && x[0].reftype == obj::site && x[0].refname == "s" && x[0].cutoff == 1));
    CHECK((x[1].objtype == obj::xbody && x[1].reftype == obj::geom));
    CHECK((x[1].intprm[0] == 33 && x[1].intprm[1] == 2 && x[1].intprm[2] == 3));
    CHECK((x[2].objtype == obj::camera && x[2].objname == "c" && x[2].intprm[0] == 9));
    CHECK((x[3].reftype == obj::site && x[3].refname == "s" && x[3].objtype == obj::geom && x[3].objname == "g"));
    CHECK((x[4].objtype == obj::geom && x[4].objname == "g" && x[4].reftype == obj::body && x[4].refname == "b"));
    CHECK((x[5].objtype == obj::site && x[5].reftype == obj::camera && x[5].refname == "c"));
    CHECK((x[6].dim == 3 && x[6].needstage == needs::vel && x[6].datatype == datatype::axis && x[6].objtype == obj::body));
    CHECK(contains(error_in("<sensor><contact num='0'/></sensor>"), "'num' is not positive"));
}

TEST_CASE("assets without a name are called after their file") {
    const Spec s = parse_mjcf_string(
        "<mujoco><compiler meshdir='meshes'/><asset><mesh file='a/part.obj'/><hfield file='hill.png' size='1 1 1 1'/></asset></mujoco>",
        "model", "dir");
    CHECK(s.meshes.front().name == "part");
    CHECK(s.meshes.front().file == std::filesystem::path("dir/meshes/a/part.obj").string());
    CHECK(s.meshes.front().inertia == mesh_inertia::legacy);
    CHECK(s.hfields.front().name == "hill");
    const Spec stripped = parse_mjcf_string("<mujoco><compiler strippath='true'/><asset><mesh file='a/part.obj'/></asset></mujoco>",
                                            "model", "dir");
    CHECK(stripped.meshes.front().file == std::filesystem::path("dir/part.obj").string());
}

TEST_CASE("an asset is looked for where MuJoCo does: in meshdir, or beside the included file that names it") {
    const TemporaryDirectory directory("asset_path");
    for (const char* mesh : {"beside.obj", "sub/own.obj", "sub/m/deep.obj", "m/both.obj", "sub/both.obj"}) directory.write(mesh, "");
    directory.write("sub/part.xml", "<mujoco><asset><mesh file='own.obj'/><mesh file='deep.obj'/><mesh file='both.obj'/></asset></mujoco>");
    const std::string file = directory.write(
        "main.xml", "<mujoco><compiler meshdir='m'/><asset><mesh file='beside.obj'/></asset><include file='sub/part.xml'/></mujoco>");
    const Spec s = parse_mjcf_file(file);
    std::vector<std::string> found;
    for (const SpecMesh& mesh : s.meshes) found.push_back(std::filesystem::path(mesh.file).lexically_relative(directory.path).string());
    CHECK(found == std::vector<std::string>{"m/beside.obj", "sub/own.obj", "m/deep.obj", "m/both.obj"});
}

TEST_CASE("meshes may be given inline") {
    const Spec s = read(
        "<default><mesh scale='2 2 2'/></default><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2' inertia='shell'/>"
        "<mesh name='n' builtin='sphere' params='2'/></asset>");
    CHECK(s.meshes.front().vert.size() == 12);
    CHECK(s.meshes.front().scale[0] == 2);
    CHECK(s.meshes.front().inertia == mesh_inertia::shell);
    const Spec older = read("<compiler exactmeshinertia='true'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>");
    CHECK(older.meshes.front().inertia == mesh_inertia::exact);
    CHECK(s.meshes.back().builtin == "sphere");
    CHECK(contains(error_in("<asset><mesh name='m' vertex='1 2'/></asset>"), "expected a multiple of 3"));
    CHECK(contains(error_in("<asset><mesh name='m'/></asset>"), "mesh without shape"));
    CHECK(contains(error_in("<asset><mesh name='m' builtin='sphere'/></asset>"), "missing attribute 'params'"));
    CHECK(contains(error_in("<asset><mesh name='m' vertex='0 0 0' maxhullvert='3'/></asset>"), "maxhullvert"));
}

TEST_CASE("height fields are turned so that the first row is the nearest") {
    const Spec s = read("<asset><hfield name='h' nrow='2' ncol='3' size='1 1 1 1' elevation='1 2 3 4 5 6'/></asset>");
    CHECK(s.hfields.front().elevation == std::vector<float>{4, 5, 6, 1, 2, 3});
    CHECK(
        contains(error_in("<asset><hfield name='h' nrow='2' ncol='3' size='1 1 1 1' elevation='1 2'/></asset>"), "expected nrow*ncol = 6"));
    CHECK(contains(error_in("<asset><hfield name='h' nrow='-2' ncol='3' size='1 1 1 1'/></asset>"), "expected positive numbers"));
    CHECK(contains(error_in("<asset><hfield name='h' nrow='2' size='1 1 1 1'/></asset>"), "expected positive numbers"));
}
