// Objects by name, in runtime and fixed models: each number is the one that MuJoCo's tables lead to.
#include "catch.hpp"
#include "load.hpp"

#include "arm.hpp"

#include "mjx/integrators.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

using namespace mjx;

TEST_CASE("a handle's numbers are those of the object's place in Data") {
    auto sim = simulator<Euler, Newton>(load_scene("workshop"));
    const auto& m = sim.model();
    auto& d = sim.data();
    sim.joint("shoulder").qpos()[0] = 0.2;
    sim.joint("elbow").qvel()[0] = -0.7;
    sim.actuator("motor").ctrl()[0] = 0.5;
    sim.step(3);
    sim.forward();

    CHECK(sim.joint("rock").qpos().size() == 7);
    CHECK(sim.joint("rock").qvel().size() == 6);
    CHECK(sim.joint("wrist").qpos().size() == 4);
    CHECK(sim.joint("wrist").qacc().size() == 3);
    CHECK(sim.joint("elbow").qpos().data() == &d.qpos[m.jnt_qposadr[m.joint("elbow")]]);
    CHECK(sim.joint("elbow").qfrc_constraint().data() == &d.qfrc_constraint[m.jnt_dofadr[m.joint("elbow")]]);
    CHECK(sim.joint("crank").qvel().size() == 1);
    CHECK(sim.joint(m.njnt - 1).qpos().end() == d.qpos.data() + m.nq);
    CHECK(&sim.joint("elbow").xaxis() == &d.xaxis[m.joint("elbow")]);
    CHECK(sim.joint("reach").range()[1] == 1);
    CHECK(&sim.body("hand").xpos() == &d.xpos[m.body("hand")]);
    CHECK(&sim.body("hand").xquat() == &d.xquat[m.body("hand")]);
    CHECK(sim.body("hand").mass() == m.body_mass[m.body("hand")]);
    CHECK(&sim.geom("drum").xmat() == &d.geom_xmat[m.geom("drum")]);
    CHECK(sim.geom("drum").size()[1] == 0.2);
    CHECK(&sim.site("pin").xpos() == &d.site_xpos[m.site("pin")]);
    CHECK(sim.actuator("motor").ctrl()[0] == 0.5);
    CHECK(sim.actuator("motor").force().data() == &d.actuator_force[m.actuator_outadr[m.actuator("motor")]]);
    CHECK(sim.actuator("motor").act().size() == 0);
    CHECK(&sim.tendon("cord").length() == &d.ten_length[m.tendon("cord")]);
    sim.body("hand").xfrc_applied()[2] = 3;
    CHECK(d.xfrc_applied[m.body("hand")][2] == 3);
    int numbers = 0;
    for (int i = 0; i < m.nsensor; ++i)
        for (const double& x : sim.sensor(i).data()) CHECK(&x == &d.sensordata[numbers++]);
    CHECK(numbers == m.nsensordata);
}

TEST_CASE("a handle of a constant simulator cannot change it") {
    const auto sim = simulator<Euler, Newton, models::Arm>();
    static_assert(std::is_same_v<decltype(sim.joint("joint1").qpos()[0]), const double&>);
    static_assert(std::is_same_v<decltype(sim.body("world").xfrc_applied()), const Vec6<double>&>);
    CHECK(sim.joint("joint1").qpos().size() == 1);
}

// Velocities are the rates at which positions change: central differences, error h² x''' / 6.
template <class Sim>
double velocity_error(Sim& sim) {
    const auto& m = sim.model();
    for (int i = 0; i < m.nv; ++i) {
        sim.qpos()[i] = 0.3 * (i % 5) - 0.4;
        sim.qvel()[i] = 0.5 * (i % 3) - 0.6;
    }
    const int b = m.nbody - 1;
    const double h = 1e-5;
    const auto shift = [&](double by) {
        for (int i = 0; i < m.nv; ++i) sim.qpos()[i] += by * sim.qvel()[i];
        sim.forward();
        return std::pair(Vec3<double>(sim.body(b).xpos()), Vec3<double>(sim.site("tool").xpos()));
    };
    const auto ahead = shift(h), behind = shift(-2 * h);
    shift(h);
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
        worst = std::max(worst, std::abs(sim.body(b).linvel()[k] - (ahead.first[k] - behind.first[k]) / (2 * h)));
        worst = std::max(worst, std::abs(sim.site("tool").linvel()[k] - (ahead.second[k] - behind.second[k]) / (2 * h)));
        CHECK(sim.body(b).angvel()[k] == sim.site("tool").angvel()[k]);
    }
    return worst;
}

TEST_CASE("velocities of bodies and sites are the rates of their positions, in runtime and fixed models") {
    auto loaded = simulator<Euler, Unconstrained>(load_scene("arm"));
    auto fixed = simulator<Euler, Unconstrained, models::Arm>();
    CHECK(velocity_error(loaded) < 1e-8);
    CHECK(velocity_error(fixed) < 1e-8);
    for (int k = 0; k < 3; ++k) CHECK(loaded.site("tool").linvel()[k] == fixed.site(models::Arm::site("tool")).linvel()[k]);
}

TEST_CASE("an object that does not exist is an error that lists those that do") {
    auto loaded = simulator<Euler, Newton>(load_scene("cartpole"));
    auto fixed = simulator<Euler, Newton, models::Arm>();
    const auto said = [](const auto& ask) {
        try {
            ask();
        } catch (const std::invalid_argument& trouble) {
            return std::string(trouble.what());
        }
        return std::string("nothing");
    };
    CHECK(said([&] { loaded.joint("knee"); }) == "the model has no joint named 'knee' but slider, hinge");
    CHECK(said([&] { loaded.sensor("imu"); }) == "the model has no sensor named 'imu'");
    CHECK(said([&] { loaded.body(3); }) == "the model has no body 3: they are counted from 0 to 2");
    CHECK(said([&] { loaded.body(-1); }) == "the model has no body -1: they are counted from 0 to 2");
    CHECK(said([&] { loaded.sensor(0); }) == "the model has no sensor 0: it has none at all");
    CHECK(said([&] { fixed.site("hand"); }) == "the model has no site named 'hand' but tool");
    CHECK(said([&] { loaded.reset_keyframe("home"); }) == "the model has no keyframe named 'home'");
}
