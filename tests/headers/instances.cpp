// Whole steps of each kind of number, so that a compiler sees the templates of the pipeline with their types.
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

template class mjx::Simulator<double, mjx::RK4, mjx::PGS>;
template class mjx::Simulator<mjx::pack<float>, mjx::Euler, mjx::Newton>;
template class mjx::Simulator<mjx::dual<double, 2>, mjx::Euler, mjx::Newton>;

// A member of a hook's name that is data is no hook.
struct Controller {
    int sensor = 0;
    template <class M, class D>
    void control(const M&, D&) const {}
};
template struct mjx::inner::hook_check<Controller, mjx::Model<>, mjx::Data<double, mjx::Model<>>>;
