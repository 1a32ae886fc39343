// expect: a solver of one's own derives from mjx::SolverDefaults (solvers.hpp)
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"

struct Mine {
    template <class M, class D>
    static void solve(const M&, D&) {}
};

void misuse(const mjx::Model<>& model) { mjx::Simulator<double, mjx::Euler, Mine> sim(model); }
