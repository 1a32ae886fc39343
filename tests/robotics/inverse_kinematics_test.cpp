// Inverse kinematics reaches what can be reached, keeps limits, and takes every lane of a pack for itself; equilibria are at rest.
#include "catch.hpp"
#include "load.hpp"
#include "scalar/scalar_types.hpp"

#include "model/joint_scene.hpp"

#include "mjx/integrators.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <random>

namespace {

using mjx::all, mjx::clamp;

template <class M>
void check_limits(const M& m, const auto& qpos) {
    for (int j = 0; j < m.njnt; ++j) {
        if (!m.jnt_limited[j] || (m.jnt_type[j] != mjx::jnt::hinge && m.jnt_type[j] != mjx::jnt::slide)) continue;
        const auto& q = qpos[m.jnt_qposadr[j]];
        using S = std::remove_cvref_t<decltype(q)>;
        CHECK(all(q >= S(m.jnt_range[j][0]) && q <= S(m.jnt_range[j][1])));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("a pose near by is reached in a few iterations, in every lane its own", "", float, double, scalar_types::packd) {
    using S = TestType;
    using V = mjx::value_t<S>;
    using M = mjx::Model<V>;
    const M m = mjx::cast<V>(load_scene("arm"));
    mjx::Data<S, M> d(m);
    mjx::reset(m, d);
    const V tolerance = sizeof(V) == 4 ? V(1e-5) : V(1e-10);
    mjx::InverseKinematics<S, M> ik(m, {.tolerance = double(tolerance)});
    std::mt19937 random(5);
    const auto tool = mjx::site("tool");
    for (int round = 0; round < 5; ++round) {
        mjx::random_position(m, random, d.qpos);
        S start[7];
        for (int i = 0; i < 7; ++i) {
            start[i] = clamp(S(d.qpos[i] * V(0.9) + V(0.1)), S(m.jnt_range[i][0]), S(m.jnt_range[i][1]));
            d.qpos[i] = d.qpos[i] * V(0.9);
        }
        mjx::forward_kinematics(m, d);
        ik.clear();
        ik.position(tool, mjx::pose(m, d, tool).pos);
        ik.orientation(tool, mjx::orientation(m, d, tool));
        const auto result = ik.solve(start);
        CHECK(all(result.reached));
        CHECK(all(result.position_error <= S(tolerance)));
        CHECK(result.iterations < 40);
        check_limits(m, start);
    }
}

TEST_CASE("targets out of reach are approached within the limits, and postures and centres of mass are met") {
    const mjx::Model<double> m = load_scene("humanoid");
    mjx::Data<double, mjx::Model<double>> d(m);
    mjx::reset(m, d);
    mjx::forward_kinematics(m, d);
    mjx::InverseKinematics ik(m);
    std::vector<double> q(d.qpos.begin(), d.qpos.begin() + m.nq);
    const mjx::Vec3<double> com = d.subtree_com[1] + mjx::Vec3<double>{{0.02, 0.01, -0.05}};
    ik.com(mjx::com(1), com);
    ik.posture(q, 1e-9);
    const auto reached = ik.solve(q);
    CHECK(reached.position_error < 1e-6);
    for (int i = 0; i < m.nq; ++i) d.qpos[i] = q[std::size_t(i)];
    mjx::forward_kinematics(m, d);
    for (int k = 0; k < 3; ++k) CHECK(d.subtree_com[1][k] == Approx(com[k]).margin(1e-6));

    const mjx::Model<double> arm = load_scene("arm");
    mjx::InverseKinematics far(arm);
    std::vector<double> angles(arm.qpos0.begin(), arm.qpos0.end());
    for (double& x : angles) x += 0.1;
    far.position(mjx::site("tool"), {{5, 0, 0.5}});
    const auto missed = far.solve(angles);
    CHECK(!missed.reached);
    CHECK(missed.position_error < 5);
    check_limits(arm, angles.data());
}

namespace {

// Limits that are in the way.
mjx::Spec limited_joints() {
    mjx::Spec spec = joint_scene::together();
    const auto limit = [](auto&& self, mjx::SpecBody& body) -> void {
        for (auto& joint : body.joints) {
            const bool scalar = joint.type != mjx::jnt::ball && joint.type != mjx::jnt::planar;
            joint.range = scalar ? mjx::Vec<double, 2>{{-0.3, 0.4}} : mjx::Vec<double, 2>{{0, 0.4}};
            joint.limited = joint.type == mjx::jnt::free ? mjx::Tristate::no : mjx::Tristate::yes;
        }
        for (auto& child : body.bodies) self(self, child);
    };
    limit(limit, spec.world);
    return spec;
}

// How far a joint is beyond its limits: the smallest distance of its rows.
template <class M, class D>
double worst_limit(const M& m, const D& d) {
    double least = 1e300;
    for (int j = 0; j < m.njnt; ++j)
        M::joints::visit(m.jnt_type[j], [&](auto joint) {
            if (m.jnt_limited[j]) joint.limits(m, d, j, [&](double distance, const auto&) { least = std::fmin(least, distance); });
        });
    return least;
}

}  // namespace

TEST_CASE("every kind of joint, a user's too, is drawn within its limits, brought back to them, and held there by inverse kinematics") {
    using namespace joint_scene;
    const JointModel m = mjx::compile<Joints>(limited_joints());
    mjx::Data<double, JointModel> d(m);
    mjx::reset(m, d);
    std::mt19937 random(3);
    std::vector<double> mean(std::size_t(m.nq), 0.0), spread = mean;
    for (int n = 0; n < 1000; ++n) {
        mjx::random_position(m, random, d.qpos);
        CHECK(worst_limit(m, d) >= -1e-15);
        for (int i = 0; i < m.nq; ++i) spread[std::size_t(i)] = std::fmax(spread[std::size_t(i)], std::fabs(d.qpos[i] - m.qpos0[i]));
        for (int i = 0; i < m.nq; ++i) mean[std::size_t(i)] += d.qpos[i] / 1000;
    }
    for (int j = 0; j < m.njnt; ++j) {  // all of the range is reached, without a preference
        const int type = m.jnt_type[j], q = m.jnt_qposadr[j];
        if (Joints::is_scalar(type)) CHECK(mean[std::size_t(q)] == Approx(0.05).margin(0.03));
        if (type == mjx::jnt::planar) CHECK(spread[std::size_t(q)] == Approx(0.4).margin(0.03));
        if (type == mjx::jnt::planar) CHECK(std::fabs(mean[std::size_t(q)]) < 0.03);
    }
    // from beyond the limits straight back to them
    std::uniform_real_distribution<double> number(-2, 2);
    for (int n = 0; n < 100; ++n) {
        std::vector<double> step(std::size_t(m.nv));
        for (double& x : step) x = number(random);
        mjx::reset(m, d);
        mjx::integrate_position(m, d.qpos, step, 1.0);
        for (int j = 0; j < m.njnt; ++j) mjx::move_within_limits(m, d, j);
        CHECK(worst_limit(m, d) >= -1e-15);
    }
    // poses that can be reached are; what cannot is approached, and no joint leaves its limits
    mjx::InverseKinematics<double, JointModel> ik(m, {.iterations = 300, .attempts = 10});
    const auto hand = mjx::body("last");
    const auto other = mjx::body("ball");
    int reached = 0;
    std::vector<double> start(m.qpos0.begin(), m.qpos0.end());
    for (int n = 0; n < 20; ++n) {
        mjx::random_position(m, random, d.qpos);
        mjx::forward_kinematics(m, d);
        ik.clear();
        ik.position(hand, mjx::pose(m, d, hand).pos);
        ik.orientation(hand, mjx::orientation(m, d, hand));
        ik.position(other, mjx::pose(m, d, other).pos);
        ik.orientation(mjx::body("free"), mjx::orientation(m, d, mjx::body("free")));
        ik.position(mjx::body("free"), mjx::pose(m, d, mjx::body("free")).pos);
        if (n == 19) ik.position(other, {{0, 0, 30}});  // and where nothing is
        for (int i = 0; i < m.nq; ++i) d.qpos[i] = start[std::size_t(i)];
        const auto result = ik.solve(d.qpos);
        reached += result.reached;
        CHECK(worst_limit(m, d) >= -1e-14);
    }
    CHECK(reached >= 18);
    CHECK(reached < 20);
}

TEST_CASE("what holds a pose keeps it: a box on the floor and an arm above it are at rest") {
    mjx::Simulator<double, mjx::Euler, mjx::Newton> sim(load_model_string(R"(
        <mujoco><worldbody><geom type="plane" size="2 2 0.1"/>
            <body pos="0 0 0.12"><freejoint/><geom type="box" size="0.2 0.1 0.1" mass="3"/>
                <body pos="0 0 0.1"><joint name="mast" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.02 0 0.3" mass="0.1"/></body>
            </body></worldbody></mujoco>)"));
    std::vector<double> force(std::size_t(sim.model().nv));
    const auto rest = mjx::static_equilibrium(sim, force);
    CHECK(rest.missing < 1e-6);
    CHECK(std::fabs(force[6]) > 1e-3);
    const double height = sim.qpos()[2];
    CHECK(height < 0.1);
    for (int i = 0; i < sim.model().nv; ++i) sim.qfrc_applied()[i] = force[std::size_t(i)];
    sim.step(100);
    CHECK(sim.qpos()[2] == Approx(height).margin(1e-6));
    CHECK(sim.qpos()[7] == Approx(0).margin(1e-4));
}
