// Gradients by the parameters of a model beside central differences of models that are made anew, through contacts, in one pass with those
// by controls and state.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/control/rollout_gradient.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/robotics/parameters.hpp"
#include "mjx/solver/newton.hpp"

namespace {

// A walker of sorts: a box on a floor with an arm that swings, a servo, a filter, a spring, dry friction.
const char* const pusher = R"(<mujoco><option timestep='0.004' tolerance='0' iterations='100' ls_tolerance='1e-10' cone='elliptic'/>
  <worldbody><geom name='floor' type='plane' size='5 5 .1' friction='0.3'/>
    <body name='box' pos='0 0 .099'><freejoint/><geom name='box' type='box' size='.2 .15 .1' density='300' friction='0.3'/>
      <body name='arm' pos='.1 0 .1'><joint name='swing' axis='0 1 0' damping='.2' stiffness='1.5' armature='.01' frictionloss='.05'/>
        <geom name='arm' type='capsule' size='.03' fromto='0 0 0 0 .02 .3' contype='0' conaffinity='0'/></body></body></worldbody>
  <actuator><position name='servo' joint='swing' kp='8' kv='.3'/><general joint='swing' dyntype='filter' dynprm='.05' gainprm='2'/></actuator>
</mujoco>)";

constexpr int count = 11;
const double values[count] = {12, 0.01, 0.3, 0.2, 1.5, 0.01, 0.05, 8, -8, -0.3, 2};

// Mass and its place, friction, damping, stiffness, armature, dry friction, gains of all kinds.
const auto write_all = [](auto& m, const auto& p) {
    mjx::set_mass(m, 1, p[0]);
    m.body_ipos[2][0] = p[1];
    m.geom_friction[0][0] = m.geom_friction[1][0] = p[2];
    m.dof_damping[6] = p[3];
    m.jnt_stiffness[1] = p[4];
    m.dof_armature[6] = p[5];
    m.dof_frictionloss[6] = p[6];
    m.actuator_gainprm[0][0] = p[7];
    m.actuator_biasprm[0][1] = p[8];
    m.actuator_biasprm[0][2] = p[9];
    m.actuator_gainprm[1][0] = p[10];
    mjx::set_constants(m);
};

// It reads a centre of mass, which depends on the parameters by itself.
struct Cost {
    template <class M, class D, class R>
    void operator()(const M& m, const D& d, bool last, R&& r) const {
        r((d.subtree_com[1][0] - 0.3) * (last ? 5 : 1));
        for (int i = 0; i < m.nv; ++i) r(d.qvel[i] * 0.3);
        r(d.act[0] * 0.2);
    }
};

constexpr int steps = 15;

template <class Sim>
std::unique_ptr<Sim> pushed(const std::vector<double>& p) {
    auto model = load_model_string(pusher);
    model.opt.chosen = 0;
    write_all(model, p);
    auto sim = std::make_unique<Sim>(model);
    const double quat[] = {0.99, 0, 0, 0.1};
    for (int i = 0; i < 4; ++i) sim->qpos()[3 + i] = quat[i];
    sim->qvel()[0] = 0.6;
    sim->qvel()[6] = 1.5;
    sim->act()[0] = 0.2;
    return sim;
}
mjx::Matrix<double> controls() {
    auto u = mjx::Matrix<double>::from_shape({steps, 2});
    for (std::size_t t = 0; t < steps; ++t) {
        u(t, 0) = 0.4;
        u(t, 1) = 0.1 * static_cast<double>(t % 4);
    }
    return u;
}

// Central differences by parameter k of what `f` makes of a simulator.
template <class Sim, class F>
double slope(int k, const F& f) {
    double sum = 0;
    const double eps = 1e-6 * std::max(std::abs(values[k]), 0.1);
    for (const double sign : {-1.0, 1.0}) {
        std::vector<double> p(values, values + count);
        p[static_cast<std::size_t>(k)] += sign * eps;
        sum += f(*pushed<Sim>(p)) * sign / (2 * eps);
    }
    return sum;
}

}  // namespace

TEMPLATE_TEST_CASE("gradients by parameters equal central differences of models made anew", "", mjx::Euler, mjx::ImplicitFast, mjx::RK4) {
    using Sim = mjx::Simulator<double, TestType, mjx::Newton>;
    const std::vector<double> p(values, values + count);
    const mjx::Parameters parameters(write_all, p);
    const auto sim = pushed<Sim>(p);

    SECTION("of a trajectory, with checkpoints and without, beside those by controls and state") {
        const auto found = mjx::rollout_gradient(*sim, controls(), Cost{}, parameters);
        const auto without = mjx::rollout_gradient(*sim, controls(), Cost{});
        CHECK(found.cost == without.cost);
        CHECK((found.by_controls == without.by_controls));
        CHECK((found.by_state == without.by_state));
        CHECK(without.by_parameters.size() == 0);
        CHECK((mjx::rollout_gradient(*sim, controls(), Cost{}, parameters, 4).by_parameters == found.by_parameters));
        for (int k = 0; k < count; ++k) {
            const double expected = slope<Sim>(k, [](const Sim& other) { return mjx::rollout_gradient(other, controls(), Cost{}).cost; });
            INFO("parameter " << k);
            CHECK(found.by_parameters[static_cast<std::size_t>(k)] == Approx(expected).epsilon(2e-5).margin(1e-8));
            CHECK(std::abs(expected) > 1e-7);  // something to see
        }
    }
    SECTION("of a step") {
        mjx::Vector<double> weights = mjx::Vector<double>::from_shape({15});
        for (std::size_t r = 0; r < 15; ++r) weights[r] = 0.3 * static_cast<double>(r % 5) - 0.4;
        const auto found = mjx::step_vjp(*sim, weights, parameters);
        const auto measure = [&](const Sim& other) {
            Sim next(other);
            next.step();
            double dq[7], sum = 0;
            mjx::differentiate_pos(next.model(), dq, next.qpos(), sim->qpos());
            for (std::size_t i = 0; i < 7; ++i) sum += weights[i] * dq[i] + weights[7 + i] * next.qvel()[static_cast<int>(i)];
            return sum + weights[14] * next.act()[0];
        };
        CHECK(found.x.size() == 15);
        CHECK(found.u.size() == 2);
        for (int k = 0; k < count; ++k) {
            INFO("parameter " << k);
            CHECK(found.p[static_cast<std::size_t>(k)] == Approx(slope<Sim>(k, measure)).epsilon(2e-5).margin(1e-8));
        }
    }
}
