// expect: the fifth parameter of Simulator has no hook
#include "mjx/integrator/euler.hpp"
#include "mjx/model/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/pgs.hpp"

struct Controller {
    template <class M, class D>
    void controls(const M&, D&) const {}
};
mjx::Simulator<double, mjx::Euler, mjx::PGS, mjx::Model<>, Controller>* simulator;
int size = sizeof(*simulator);
