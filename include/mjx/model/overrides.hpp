// tell_overrides<Integrator, Solver>(model): one line on stderr where a program's types replace what the model's author chose.
//
// A Simulator's integrator and solver are types, so those of the file are not looked at, and results then differ from MuJoCo's for no
// visible reason. Choices nobody made, MuJoCo's defaults, are not mentioned. `model.opt.chosen = 0` before the simulator is made keeps it
// quiet; mjx::simulate follows the model instead.
#pragma once

#include "mjx/model/types.hpp"

#include <cstdio>
#include <string>

namespace mjx::inner {

namespace detail {

[[gnu::cold, gnu::noinline]] inline void add_override(std::string& text, const char* what, const char* taken, const char* chosen) {
    text += text.empty() ? "" : ", ";
    text += what;
    text += ' ';
    text += taken;
    text += " instead of ";
    text += chosen;
}

}  // namespace detail

// "integrator RK4 instead of Euler, solver PGS instead of Newton"; empty if the types are what the model asks for.
template <class Integrator, class Solver, class M>
std::string overrides(const M& m) {
    const auto& opt = m.opt;
    std::string text;
    if ((opt.chosen & choice::integrator) && Integrator::type != opt.integrator)
        detail::add_override(text, "integrator", Integrator::name, integrator_names[opt.integrator]);
    if ((opt.chosen & choice::solver) && Solver::type != opt.solver)
        detail::add_override(text, "solver", Solver::name, solver_names[opt.solver]);
    if constexpr (Solver::friction_cone >= 0)
        if ((opt.chosen & choice::cone) && Solver::friction_cone != opt.cone)
            detail::add_override(text, "cone", cone_names[Solver::friction_cone], cone_names[opt.cone]);
    return text;
}

template <class Integrator, class Solver, class M>
void tell_overrides(const M& m) {
    if (m.opt.chosen == 0) return;
    if (const std::string text = overrides<Integrator, Solver>(m); !text.empty())
        std::fprintf(stderr, "mjx: %s: %s, which the model asks for (mjx::simulate follows the model)\n", m.name.c_str(), text.c_str());
}

}  // namespace mjx::inner
