// No step leaves a state that is not finite in silence: it is counted, and reset unless autoreset is off. The models are ones that
// MuJoCo accepts, with numbers out of all proportion.
#include "catch.hpp"
#include "load.hpp"

#include "mjx/batch/lanes.hpp"
#include "mjx/integrators.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"
#include "mjx/stage/fluid_derivative.hpp"

#include <cmath>

namespace {

const std::string ball = "<freejoint/><geom size='.1' ";
std::string on_floor(const std::string& option, const std::string& geom) {
    return "<mujoco>" + option + "<worldbody><geom type='plane' size='1 1 1' " + geom + "/><body pos='0 0 .09'>" + ball + geom +
           "/></body></worldbody></mujoco>";
}
std::string dcmotor(const std::string& attributes) {
    return "<mujoco><worldbody><body><joint name='j'/><geom size='.1' pos='0 0 1'/></body></worldbody><actuator><dcmotor joint='j' " +
           attributes + "/></actuator><keyframe><key ctrl='1e9'/></keyframe></mujoco>";
}
const std::string absurd[] = {
    on_floor("", "surfacevel='0 0 1e300 0 0 0'"),
    on_floor("", "condim='6' friction='1e308 1e308 1e308'"),
    on_floor("<option cone='elliptic'/>", "condim='6' friction='1e308 1e308 1e308'"),
    on_floor("<option cone='elliptic' impratio='1e300'/>", "condim='4' friction='1e300 1e300 1e300'"),
    on_floor("<option wind='1e200 0 0' density='1e200' viscosity='1e200'/>", ""),
    "<mujoco><worldbody><body><joint name='j' damping='1e300' stiffness='1e300' ref='1e5'/><geom size='.1' pos='0 0 1'/></body></worldbody>"
    "<actuator><general joint='j' dyntype='integrator' gainprm='1e300' biastype='affine' biasprm='1e308 1e308 1e308'/></actuator>"
    "<keyframe><key ctrl='1e9' qvel='1'/></keyframe></mujoco>",
    dcmotor("motorconst='1e100 1e100' resistance='1e-100' inductance='1e-100 1e-100' saturation='-1 -1 -1'"),
};

template <class S, class M>
bool state_is_finite(const M& m, const mjx::Data<S, M>& d) {
    bool finite = true;
    const auto look = [&](const auto& x, int n) {
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < mjx::lanes_v<S>; ++k) finite = finite && std::isfinite(mjx::lane(x[i], k));
    };
    look(d.qpos, m.nq);
    look(d.qvel, m.nv);
    look(d.act, m.na);
    return finite;
}
template <class D>
int bad_counts(const D& d) {
    int count = 0;
    for (const int which : {mjx::warning::badqpos, mjx::warning::badqvel, mjx::warning::badqacc, mjx::warning::badact})
        for (int k = 0; k < mjx::lanes_v<typename D::scalar>; ++k) count += d.warning[which * mjx::lanes_v<typename D::scalar> + k];
    return count;
}

// Returns how many models were in trouble.
template <class S, class Integrator, class Solver>
int run_absurd() {
    int troubled = 0;
    for (const std::string& text : absurd) {
        auto m = load_model_string(text);
        for (const bool autoreset : {true, false}) {
            m.opt.disableflags = autoreset ? 0 : int(mjx::disable::autoreset);
            mjx::Data<S, mjx::Model<double>> d(m);
            mjx::reset_keyframe(m, d, 0);
            CAPTURE(text, autoreset);
            int before = 0;
            for (int i = 0; i < 5; ++i) {
                mjx::step<Integrator, Solver>(m, d);
                const bool finite = state_is_finite(m, d);
                if (autoreset) CHECK(finite);
                if (!finite) CHECK(bad_counts(d) > before);
                before = bad_counts(d);
            }
            troubled += autoreset && before > 0;
        }
    }
    return troubled;
}

}  // namespace

TEST_CASE("a state that is not finite never leaves a step in silence") {
    CHECK(run_absurd<double, mjx::Euler, mjx::Newton>() > 2);
    CHECK(run_absurd<double, mjx::RK4, mjx::PGS>() > 2);
    CHECK(run_absurd<double, mjx::ImplicitFast, mjx::CG>() > 2);
    CHECK(run_absurd<mjx::pack<double>, mjx::RK4, mjx::Newton>() > 2);
}

TEST_CASE("a lane that is lost to the integrator is reset, named, and its neighbours are left alone") {
    using S = mjx::pack<double>;
    const auto m = load_model_string(
        "<mujoco><option actuatorgroupdisable='1'/><worldbody><body><joint name='j'/><geom size='.1' pos='0 0 1'/></body></worldbody>"
        "<actuator><motor name='first' joint='j'/><general name='valve' joint='j' dyntype='integrator' group='1'/></actuator></mujoco>");
    mjx::Simulator<S, mjx::Euler, mjx::Newton> sim(m);
    std::vector<std::string> said;
    sim.on_warning([&](const mjx::Warning& w) { said.push_back(w.text); });
    sim.step(3);
    CHECK(said.empty());
    mjx::set_lane(sim.act()[0], 1, std::numeric_limits<double>::infinity());  // of an actuator that is off: no force tells
    sim.step();
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("bad activation 0 (valve)") != std::string::npos);
    CHECK(said[0].find("lane 1: state reset") != std::string::npos);
    for (int k = 0; k < mjx::lanes_v<S>; ++k) CHECK((mjx::lane(sim.time(), k) == 0) == (k == 1));
}

// Without viscosity the ellipsoid model's forces are quadratic in the velocity, so their derivative is proportional to it, down to speeds whose
// powers a float does not have.
TEMPLATE_TEST_CASE("The derivative of fluid forces is proportional to the velocity", "[stage]", float, double) {
    using namespace mjx::inner;
    const Vec<TestType, nfluid> coefficients{
        {1, 0.5, 0.25, 1.5, 1, 1, 0.0078125, 0.015625, 0.03125, 0.0009765625, 0.001953125, 0.00390625}};
    const Vec3<TestType> size{{TestType(0.1), TestType(0.2), TestType(0.001)}};
    const auto at = [&](TestType pace) {
        const Vec6<TestType> v{{pace * 3, pace * 2, -pace, pace, pace * 2, pace / 2}};
        return ellipsoid_derivative(v, coefficients, size, TestType(1000), TestType(0), 314);
    };
    const auto fast = at(1), slow = at(TestType(1e-8)), still = at(0);
    TestType largest = 0;
    for (int i = 0; i < 36; ++i) largest = std::max(largest, std::abs(fast.e[i]));
    CHECK(largest > 1);
    for (int i = 0; i < 36; ++i) {
        CHECK(std::abs(slow.e[i] / TestType(1e-8) - fast.e[i]) < TestType(10) * std::numeric_limits<TestType>::epsilon() * largest);
        CHECK(still.e[i] == 0);
    }
}
