// From Spec to Model: C++ and MJCF give the same model, derived constants are MuJoCo's, and every pass keeps the physics it should.
#include "catch.hpp"
#include "load.hpp"
#include "mjx/math/quat.hpp"
#include "mjx/model/fields.hpp"
#include "mjx/model/joints.hpp"

#include <type_traits>

using namespace mjx;

namespace {

// An arm with a muscle, a servo and a free ball; the numbers below are MuJoCo 3.12's for it.
const char* const arm_mjcf = R"(
<mujoco>
  <worldbody>
    <site name="origin" pos="0.3 0 0.1"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-60 60" armature="0.01"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.4"/>
      <geom name="wheel" type="cylinder" size="0.04 0.1" pos="0.06 0 -0.2" quat="1 1 0 0"/>
      <site name="insertion" pos="0.05 0 -0.3"/>
      <body name="lower" pos="0 0 -0.4">
        <joint name="elbow" axis="0 1 0" range="0 120" springdamper="0.2 1"/>
        <geom type="box" size="0.04 0.03 0.15" pos="0 0 -0.15" mass="0.8"/>
        <site name="hand" pos="0 0 -0.3"/>
      </body>
    </body>
    <body name="ball" pos="1 0 0.5">
      <freejoint/>
      <geom type="ellipsoid" size="0.1 0.2 0.3" quat="1 0.2 0.3 0.4"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="cable"><site site="origin"/><geom geom="wheel"/><site site="insertion"/></spatial>
    <fixed name="sum"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-0.5"/></fixed>
  </tendon>
  <equality><weld body1="lower" body2="ball" active="false"/></equality>
  <actuator>
    <general name="servo" joint="elbow" gainprm="20" biastype="affine" biasprm="0 -20 0.7"/>
    <general name="wrench" site="hand" gear="1 2 3 0 0 0"/>
  </actuator>
  <keyframe><key name="bent" qpos="0.1 1"/></keyframe>
</mujoco>)";

constexpr double degree = 3.14159265358979323846 / 180;

void add_upper_arm(SpecBody& world) {
    SpecBody& upper = world.add_body({.name = "upper", .pos = {0, 0, 1}});
    upper.add_joint({.name = "shoulder", .axis = {0, 1, 0}, .range = {-60 * degree, 60 * degree}, .armature = 0.01});
    upper.add_geom({.type = shape::capsule, .size = {0.05}, .fromto = {0, 0, 0, 0, 0, -0.4}});
    upper.add_geom({.name = "wheel", .type = shape::cylinder, .pos = {0.06, 0, -0.2}, .quat = {1, 1, 0, 0}, .size = {0.04, 0.1}});
    upper.add_site({.name = "insertion", .pos = {0.05, 0, -0.3}});
    SpecBody& lower = upper.add_body({.name = "lower", .pos = {0, 0, -0.4}});
    lower.add_joint({.name = "elbow", .axis = {0, 1, 0}, .springdamper = {0.2, 1}, .range = {0, 120 * degree}});
    lower.add_geom({.type = shape::box, .pos = {0, 0, -0.15}, .size = {0.04, 0.03, 0.15}, .mass = 0.8});
    lower.add_site({.name = "hand", .pos = {0, 0, -0.3}});
}

Spec arm_spec() {
    Spec spec;
    spec.world.add_site({.name = "origin", .pos = {0.3, 0, 0.1}});
    add_upper_arm(spec.world);
    SpecBody& ball = spec.world.add_body({.name = "ball", .pos = {1, 0, 0.5}});
    ball.add_joint({.type = jnt::free});
    ball.add_geom({.type = shape::ellipsoid, .quat = {1, 0.2, 0.3, 0.4}, .size = {0.1, 0.2, 0.3}});
    spec.add_tendon({.name = "cable", .path = {{wrap::site, "origin"}, {wrap::sphere, "wheel"}, {wrap::site, "insertion"}}});
    spec.add_tendon({.name = "sum",
                     .path = {{.type = wrap::joint, .name = "shoulder", .prm = 1}, {.type = wrap::joint, .name = "elbow", .prm = -0.5}}});
    spec.add_equality({.type = eq::weld, .name1 = "lower", .name2 = "ball", .active = false}).data[10] = 1;
    spec.add_actuator(
        {.name = "servo", .biastype = bias::affine, .trntype = trn::joint, .gainprm = {20}, .biasprm = {0, -20, 0.7}, .target = "elbow"});
    spec.add_actuator({.name = "wrench", .trntype = trn::site, .gear = {1, 2, 3, 0, 0, 0}, .target = "hand"});
    spec.add_key({.name = "bent", .qpos = {0.1, 1}});
    return spec;
}

template <class T>
void check_equal(const char* name, const T& a, const T& b) {
    CAPTURE(name);
    if constexpr (requires { T::size; })
        for (int k = 0; k < T::size; ++k) CHECK(a[k] == Approx(b[k]).margin(1e-12));
    else if constexpr (std::is_arithmetic_v<T>)
        CHECK(a == Approx(b).margin(1e-12));
    else
        CHECK(a == b);
}

// A muscle on the arm's cable.
Spec muscle_spec() {
    Spec spec = arm_spec();
    spec.add_actuator({.name = "muscle",
                       .gaintype = gain::muscle,
                       .biastype = bias::muscle,
                       .dyntype = dyn::muscle,
                       .trntype = trn::tendon,
                       .gainprm = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2},
                       .biasprm = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2},
                       .dynprm = {0.01, 0.04},
                       .target = "cable"});
    return spec;
}

}  // namespace

TEST_CASE("A model written in C++ equals the same model read from MJCF") {
    const Model<double> built = compile_spec(arm_spec()), read = load_model_string(arm_mjcf);
    for_each_size([](const char* name, int a, int b) { check_equal(name, a, b); }, built, read);
    const auto compare = [](const char* name, const auto& a, const auto& b) {
        CAPTURE(name);
        REQUIRE(a.size() == b.size());
        for (int i = 0; i < a.size(); ++i) check_equal(name, a[i], b[i]);
    };
    for_each_table(compare, built, read);
    for_each_name_list(compare, built, read);
    for_each_option([](const char* name, const auto& a, const auto& b) { check_equal(name, a, b); }, built.opt, read.opt);
    for_each_statistic([](const char* name, const auto& a, const auto& b) { check_equal(name, a, b); }, built.stat, read.stat);
}

TEST_CASE("Constants derived at rest are MuJoCo's") {
    const Model<double> m = compile_spec(muscle_spec());
    const auto near = [](double x) { return Approx(x).epsilon(1e-9).margin(1e-12); };
    CHECK(m.body_invweight0[1][0] == near(0.0440184698048895));
    CHECK(m.body_invweight0[1][1] == near(1.09589209392082));
    CHECK(m.body_invweight0[2][0] == near(0.31917903142713));
    CHECK(m.body_invweight0[3][1] == near(2.4995487857381));
    CHECK(m.dof_invweight0[0] == near(3.28767628176245));
    CHECK(m.dof_invweight0[1] == near(69.8428435884144));
    CHECK(m.tendon_length0[0] == near(0.65));
    CHECK(m.tendon_invweight0[0] == near(0.0157575017054887));
    CHECK(m.tendon_invweight0[1] == near(30.4965627042665));
    CHECK(m.actuator_acc0[0] == near(70.5198534214992));
    CHECK(m.actuator_acc0[1] == near(14.1428620943699));
    CHECK(m.actuator_acc0[2] == near(0.71222191932583));
    CHECK(m.actuator_lengthrange[2][0] == Approx(0.644545178726864).epsilon(1e-6));
    CHECK(m.actuator_lengthrange[2][1] == Approx(0.886413918631618).epsilon(1e-6));
    CHECK(m.actuator_biasprm[0][2] == near(-0.97853223418206));  // the damping ratio of the servo
    CHECK(m.jnt_stiffness[1] == near(0.357946479775732));        // its springdamper
    CHECK(m.dof_damping[1] == near(0.143178591910293));
    CHECK(m.eq_data[0][3] == near(1));  // the weld's relative pose
    CHECK(m.eq_data[0][5] == near(-0.1));
    CHECK(m.stat.meaninertia == near(9.6686249839949));
    CHECK(m.stat.meansize == near(0.240342893738232));
    CHECK(m.stat.extent == near(1.55));
}

// A sliding body weighs its mass, as in MuJoCo, unless the file says it is not simple: then the mean over all directions counts.
TEST_CASE("Whether a body is simple decides over its invweight") {
    const auto weight = [](const std::string& simple) {
        return load_model_string("<mujoco><worldbody><body simple='" + simple +
                                 "'><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>")
            .body_invweight0[1][0];
    };
    CHECK(weight("auto") == Approx(0.238732414637843));
    CHECK(weight("false") == Approx(0.0795774715459477));
}

TEST_CASE("The world by itself collides with nothing") {
    const std::string world = "<geom name='a' size='1'/><geom name='b' size='1'/>", pair = "<contact><pair geom1='a' geom2='b'/></contact>";
    CHECK(load_model_string("<mujoco><worldbody>" + world + "</worldbody>" + pair + "</mujoco>").ncand == 0);
    CHECK(load_model_string("<mujoco><worldbody>" + world + "<body/></worldbody>" + pair + "</mujoco>").ncand == 1);
}

TEST_CASE("Bodies are numbered depth first and everything else by body") {
    Spec spec;
    SpecBody& a = spec.world.add_body({.name = "a"});
    spec.world.add_geom({.name = "floor", .type = shape::plane, .size = {1, 1, 1}});
    SpecBody& b = spec.world.add_body({.name = "b"});
    b.add_geom({.name = "gb", .size = {1}});
    SpecBody& c = a.add_body({.name = "c"});
    c.add_joint({.name = "jc"});
    c.add_geom({.name = "gc", .size = {1}});
    a.add_geom({.name = "ga", .size = {1}});
    b.add_joint({.name = "jb"});
    const Model<double> m = compile_spec(spec);
    const auto items = [](const auto& table) { return std::vector(table.begin(), table.end()); };
    CHECK(items(m.body_name) == std::vector<std::string>{"world", "a", "c", "b"});
    CHECK(items(m.geom_name) == std::vector<std::string>{"floor", "ga", "gc", "gb"});
    CHECK(items(m.jnt_name) == std::vector<std::string>{"jc", "jb"});
    CHECK(items(m.body_weldid) == std::vector<int>{0, 0, 2, 3});
    CHECK(items(m.body_rootid) == std::vector<int>{0, 1, 1, 3});
    CHECK(m.ntree == 2);
}

TEST_CASE("Rows of M and B list a dof's or a body's ancestors from the root") {
    const Model<double> m = load_scene("humanoid");
    for (int i = 0; i < m.nv; ++i) {
        int j = i;
        for (int k = m.M_rownnz[i] - 1; k >= 0; --k) {
            CHECK(m.M_colind[m.M_rowadr[i] + k] == j);
            j = m.dof_parentid[j];
        }
        CHECK(j == -1);
    }
    for (int b = 1; b < m.nbody; ++b) {
        const int own = m.body_dofnum[b], above = m.B_rownnz[m.body_parentid[b]];
        CHECK(m.B_rownnz[b] == above + own);
        for (int k = 0; k < own; ++k) CHECK(m.B_colind[m.B_rowadr[b] + above + k] == m.body_dofadr[b] + k);
    }
}

TEST_CASE("Fusing static bodies keeps the inertia that joints feel") {
    Spec spec;
    SpecBody& arm = spec.world.add_body({.name = "arm"});
    arm.add_joint({.axis = {0.3, 1, 0.2}});
    arm.add_geom({.size = {0.1}});
    SpecBody& plate = arm.add_body({.name = "plate", .pos = {0.1, 0.2, 0.3}, .quat = {1, 0.2, 0.3, 0.4}});
    plate.add_geom({.type = shape::box, .pos = {0.1, 0, 0}, .size = {0.1, 0.2, 0.05}});
    SpecBody& tip = plate.add_body({.name = "tip", .pos = {0.3, 0, 0}});
    tip.add_joint({.type = jnt::slide, .axis = {1, 0, 0}});
    tip.add_geom({.size = {0.08}});
    const Model<double> apart = compile_spec(spec);
    spec.compiler.fusestatic = true;
    const Model<double> fused = compile_spec(spec);
    CHECK(apart.nbody == 4);
    CHECK(fused.nbody == 3);
    CHECK(fused.body_subtreemass[0] == Approx(apart.body_subtreemass[0]));
    for (int i = 0; i < fused.nv; ++i) {
        CHECK(fused.dof_M0[i] == Approx(apart.dof_M0[i]));
        CHECK(fused.dof_invweight0[i] == Approx(apart.dof_invweight0[i]));
    }
    spec.add_exclude({.body1 = "plate", .body2 = "tip"});
    CHECK(compile_spec(spec).nbody == 4);  // a body that is referred to stays
}

TEST_CASE("Aligning a free body moves its frame to the centre of mass and leaves the geoms where they are") {
    Spec spec;
    SpecBody& b = spec.world.add_body({.name = "b", .pos = {1, 2, 3}, .quat = {1, 0.3, 0.1, 0.2}});
    b.add_joint({.type = jnt::free, .align = Tristate::yes});
    b.add_geom({.type = shape::box, .pos = {0.1, 0.2, 0.3}, .quat = {1, 0.5, 0, 0.1}, .size = {0.1, 0.2, 0.3}});
    b.add_geom({.pos = {0.5, 0, 0}, .size = {0.2}});
    const Model<double> aligned = compile_spec(spec);
    b.joints.front().align = Tristate::no;
    const Model<double> plain = compile_spec(spec);
    for (int k = 0; k < 3; ++k) CHECK(aligned.body_ipos[1][k] == 0);
    for (int g = 0; g < 2; ++g) {
        const auto world = [&](const Model<double>& m) { return m.body_pos[1] + rotate(m.body_quat[1], m.geom_pos[g]); };
        for (int k = 0; k < 3; ++k) CHECK(world(aligned)[k] == Approx(world(plain)[k]));
    }
    for (int k = 0; k < 3; ++k) CHECK(aligned.body_inertia[1][k] == Approx(plain.body_inertia[1][k]));
}

TEST_CASE("Visual geoms can be discarded once they have given their mass") {
    Spec spec;
    SpecBody& b = spec.world.add_body({.name = "b"});
    b.add_joint({});
    b.add_geom({.size = {0.1}});
    b.add_geom({.size = {0.2}, .contype = 0, .conaffinity = 0});
    b.add_geom({.name = "measured", .size = {0.3}, .contype = 0, .conaffinity = 0});
    spec.add_sensor({.type = sens::framepos, .objtype = obj::geom, .objname = "measured"});
    const Model<double> all = compile_spec(spec);
    spec.compiler.discardvisual = true;
    const Model<double> few = compile_spec(spec);
    CHECK(all.ngeom == 3);
    CHECK(few.ngeom == 2);
    CHECK(few.sensor_objid[0] == 1);
    CHECK(few.body_mass[1] == all.body_mass[1]);
}

TEST_CASE("Geoms whose distance is held are not discarded") {
    Spec spec;
    for (const char* name : {"first", "second"}) {
        SpecBody& b = spec.world.add_body({.name = name});
        b.add_joint({.type = jnt::free});
        b.add_geom({.size = {0.1}, .contype = 0, .conaffinity = 0});
        b.add_geom({.name = name, .pos = {0, 0, 1}, .size = {0.1}, .contype = 0, .conaffinity = 0});
    }
    spec.add_equality({.type = eq::distance, .name1 = "first", .name2 = "second"});
    spec.compiler.discardvisual = true;
    const Model<double> m = compile_spec(spec);
    CHECK(m.ngeom == 2);
    CHECK(m.geom_name[m.eq_obj1id[0]] == "first");
    CHECK(m.geom_name[m.eq_obj2id[0]] == "second");
}

TEST_CASE("The total mass can be set, with inertias in proportion") {
    Spec spec = arm_spec();
    const Model<double> before = compile_spec(spec);
    spec.compiler.settotalmass = 5;
    const Model<double> after = compile_spec(spec);
    CHECK(after.body_subtreemass[0] == Approx(5));
    CHECK(after.body_inertia[2][0] / before.body_inertia[2][0] == Approx(5 / before.body_subtreemass[0]));
}

TEST_CASE("Capacities are the user's, or enough for what candidate pairs can make") {
    Spec spec;
    spec.world.add_geom({.type = shape::plane, .size = {1, 1, 1}});
    for (int i = 0; i < 3; ++i) {
        SpecBody& b = spec.world.add_body({});
        b.add_joint({.type = jnt::free});
        b.add_geom({.size = {0.1}});
    }
    const Model<double> m = compile_spec(spec);
    CHECK(m.ncand == 6);
    CHECK(m.nconmax == 6);  // spheres touch in one point
    CHECK(m.njmax == 24);   // four edges of each friction pyramid
    spec.nconmax = 2;
    spec.njmax = 7;
    CHECK(compile_spec(spec).nconmax == 2);
    CHECK(compile_spec(spec).njmax == 7);
}
