// mjx dump, for the scalar S.
#pragma once

#include "simulation.hpp"

#include "mjx/robotics.hpp"

namespace command {

template <class M>
std::string dump_as(const M& m, const Options& o) {
    using S = typename M::real;
    std::string text;
    with_method(m, [&](auto integrator, auto solver) {
        using Integrator = decltype(integrator);
        using Solver = decltype(solver);
        mjx::Data<S, M> d(m);
        start(m, d, o);
        for (int i = 0; i < o.steps.value_or(0); ++i) mjx::step<Integrator, Solver>(m, d);
        mjx::forward<Solver>(m, d);
        mjx::Dump fields = mjx::dump_data(m, d);
        mjx::inverse(m, d);  // after the others: it overwrites the constraint forces of the forward pass
        fields.back() = {"qfrc_inverse", mjx::flat(d.qfrc_inverse)};
        text = mjx::to_text(mjx::dump_model(m)) + mjx::to_text(fields);
        mjx::step<Integrator, Solver>(m, d);
        text += mjx::to_text({{"next_qpos", mjx::flat(d.qpos)}, {"next_qvel", mjx::flat(d.qvel)}, {"next_act", mjx::flat(d.act)}});
        print_warnings(m, d);
    });
    return text;
}

}  // namespace command
