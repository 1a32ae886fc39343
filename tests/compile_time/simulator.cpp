// A simulation from headers alone: the model comes from somewhere.
#include "mjx/simulator.hpp"
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/solvers.hpp"

double height(const mjx::Model<double>& model) {
    mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);
    sim.ctrl()[0] = 1;
    sim.step();
    return sim.qpos()[2];
}
