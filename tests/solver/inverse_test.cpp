// Discrete inverse dynamics: from the change of velocity in one step of an integrator back to the forces that were applied.
#include "catch.hpp"
#include "solver/scenes.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/implicit.hpp"
#include "mjx/integrator/implicit_spring_damper.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/solver/newton.hpp"

TEMPLATE_TEST_CASE("discrete inverse dynamics undoes a step", "", mjx::Euler, mjx::Implicit, mjx::ImplicitFast, mjx::ImplicitSpringDamper) {
    auto m = load_scene("humanoid");
    m.opt.enableflags |= mjx::enable::invdiscrete;
    m.opt.iterations = 100;
    m.opt.tolerance = 0;
    for (const int cone : {mjx::cone::pyramidal, mjx::cone::elliptic})
        for (unsigned k = 0; k < 5; ++k) {
            m.opt.cone = cone;
            scenes::Data<double> d(m);
            mjx::reset(m, d);
            scenes::set(m, d, 0, scenes::state(m, k));
            for (int i = 0; i < m.nu; ++i) d.ctrl[i] = 0.5 * std::sin(i + 1.0);
            scenes::Data<double> after = d;
            mjx::forward<mjx::Newton>(m, d);
            mjx::step<TestType, mjx::Newton>(m, after);
            const double scale = 1 + scenes::norm(d.qfrc_constraint, m.nv);
            for (int i = 0; i < m.nv; ++i) d.qacc[i] = (after.qvel[i] - d.qvel[i]) / m.opt.timestep;
            const double first = d.qacc[0];
            mjx::inverse<TestType>(m, d);
            CAPTURE(cone, k, d.nefc);
            CHECK(d.qacc[0] == first);
            double worst = 0;
            for (int i = 0; i < m.nv; ++i) worst = std::max(worst, std::abs(d.qfrc_inverse[i] - d.qfrc_applied[i] - d.qfrc_actuator[i]));
            CHECK(worst < 1e-9 * scale);
            // the flag matters: these are not the continuous accelerations
            m.opt.enableflags &= ~mjx::enable::invdiscrete;
            mjx::inverse<TestType>(m, d);
            m.opt.enableflags |= mjx::enable::invdiscrete;
            double off = 0;
            for (int i = 0; i < m.nv; ++i) off = std::max(off, std::abs(d.qfrc_inverse[i] - d.qfrc_applied[i] - d.qfrc_actuator[i]));
            CHECK(off > 1e-3);
        }
}
