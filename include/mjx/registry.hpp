// simulate: a Simulator with the integrator and the solver that the model asks for, given to your function.
//
//     mjx::simulate(mjx::load_mjcf("humanoid.xml"), [](auto& sim) { sim.step(1000); });
//     const double height = mjx::simulate<float>(model, hooks, [](auto& sim) { ... return double(sim.qpos()[2]); });
//
// The function is compiled for every integrator and solver that a model can ask for, and returns the same type for all of them. For other
// choices at run time, a command line's, there are the lists themselves:
//
//     mjx::with_integrator(m.opt.integrator, [&](auto integrator) { ... decltype(integrator) is Euler, RK4, ... });
#pragma once

#include "mjx/integrators.hpp"
#include "mjx/model/type_set.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <optional>
#include <type_traits>

namespace mjx {

// f(Euler{}) or another, by its number in integrator_type:: and solver_type::; false if there is none of that number.
template <class F>
bool with_integrator(int type, F&& f) {
    return inner::with_type<Euler, RK4, Implicit, ImplicitFast, Discrete, ImplicitSpringDamper>(type, f);
}
template <class F>
bool with_solver(int type, F&& f) {
    return inner::with_type<PGS, CG, Newton, CachedPGS, Penalty>(type, f);
}

// The scalar is the model's own number type unless it is given.
template <class S = void, class M, class Hooks, class F>
auto simulate(const M& model, const Hooks& hooks, F&& f) {
    static_assert(
        requires { M::is_fixed; }, "mjx::simulate needs a model: mjx::simulate(mjx::load_mjcf(file), [](auto& sim) { ... })");
    static_assert(!M::is_fixed, "the integrator and the solver of a fixed model are types: mjx::simulator<Euler, Newton, models::Name>()");
    using scalar = std::conditional_t<std::is_void_v<S>, typename M::real, S>;
    using Result = std::invoke_result_t<F&, Simulator<scalar, inner::Euler, inner::Newton, M, Hooks>&>;
    std::conditional_t<std::is_void_v<Result>, std::optional<bool>, std::optional<Result>> result;
    with_integrator(model.opt.integrator, [&](auto integrator) {
        with_solver(model.opt.solver, [&](auto solver) {
            Simulator<scalar, decltype(integrator), decltype(solver), M, Hooks> sim(model, hooks);
            if constexpr (std::is_void_v<Result>)
                f(sim), result = true;
            else
                result.emplace(f(sim));
        });
    });
    if (!result) throw std::invalid_argument("the model asks for an integrator or solver that does not exist");
    if constexpr (!std::is_void_v<Result>) return *std::move(result);
}
template <class S = void, class M, class F>
auto simulate(const M& model, F&& f) {
    return simulate<S>(model, no_hooks{}, f);
}

}  // namespace mjx
