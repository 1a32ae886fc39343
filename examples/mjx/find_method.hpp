// find_method, for the model type M.
#pragma once

#include "method.hpp"

#include "mjx/registry.hpp"
#include "mjx/robotics.hpp"
#include "mjx/simulator.hpp"

#include <stdexcept>

namespace command {

template <class M>
Method<M> find_method_of(const M& m) {
    using D = typename Method<M>::Data;
    Method<M> method;
    mjx::with_integrator(m.opt.integrator, [&](auto integrator) {
        mjx::with_solver(m.opt.solver, [&](auto solver) {
            using Integrator = decltype(integrator);
            using Solver = decltype(solver);
            method.step = [](const M& model, D& data) { mjx::step<Integrator, Solver>(model, data); };
            method.forward = [](const M& model, D& data) { mjx::forward<mjx::solver_of<Integrator, Solver>>(model, data); };
            method.inverse = [](const M& model, D& data) { mjx::inverse<Integrator>(model, data); };
        });
    });
    if (!method.step) throw std::runtime_error("the model's integrator or solver is not available");
    return method;
}

}  // namespace command
