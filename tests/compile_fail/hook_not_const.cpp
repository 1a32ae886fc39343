// expect: the hook must be void control(const M& m, D& d) const, for this M and D
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

struct Counting {
    int calls = 0;
    template <class M, class D>
    void control(const M&, D&) {
        ++calls;
    }
};
mjx::Simulator<double, mjx::Euler, mjx::PGS, mjx::Model<>, Counting>* simulator;
int size = sizeof(*simulator);
