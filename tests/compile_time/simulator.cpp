// A simulation from headers alone: the model comes from somewhere.
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/pgs.hpp"

double height(const mjx::Model<double>& model) {
    mjx::Simulator<double, mjx::RK4, mjx::PGS> sim(model);
    sim.ctrl()(0) = 1;
    sim.step();
    return sim.qpos()(2);
}
