// expect: the fifth parameter of Simulator has no hook
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

struct Controller {
    template <class M, class D>
    void controls(const M&, D&) const {}
};
mjx::Simulator<double, mjx::Euler, mjx::PGS, mjx::Model<>, Controller>* simulator;
int size = sizeof(*simulator);
