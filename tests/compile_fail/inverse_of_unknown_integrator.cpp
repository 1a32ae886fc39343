// expect: inverse dynamics ask the integrator for continuous_force(m, d, force)
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

struct Leap : mjx::IntegratorDefaults {
    template <class M, class D, class Forward>
    static void integrate(const M& m, D& d, Forward&&) {
        mjx::advance(m, d, d.act_dot, d.qacc, d.qvel);
    }
};

void misuse(mjx::Simulator<double, Leap, mjx::Newton>& sim) { mjx::inverse(sim); }
