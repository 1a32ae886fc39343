// Analytic derivatives of implicit integrators' steps.
#include "derivative/agreement.hpp"
#include "derivative/features.hpp"

#include "mjx/integrator/implicit.hpp"
#include "mjx/integrator/implicit_spring_damper.hpp"
#include "mjx/integrator/implicitfast.hpp"
#include "mjx/solver/newton.hpp"

TEMPLATE_TEST_CASE("analytic derivatives of implicit steps equal dual numbers on every feature model", "", mjx::Implicit, mjx::ImplicitFast,
                   mjx::ImplicitSpringDamper) {
    agreement::check<TestType, mjx::Newton>(agreement::feature_models(), 1e-9);
}
