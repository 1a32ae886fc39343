#include "simulate.hpp"

#include "drive.hpp"

#include "mjx/registry.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/step.hpp"

#include <algorithm>
#include <cmath>

namespace conformance {

namespace {

// How far inverse dynamics is from returning the forces that forward dynamics was given, relative to the forces of the rows.
template <class Integrator, class M, class D>
double forward_inverse(const M& m, D& d) {
    double largest = 1;
    for (int i = 0; i < d.nefc; ++i) largest = std::max(largest, std::abs(d.efc_force[i]));
    const auto norms = mjx::compare_forward_inverse<Integrator>(m, d);
    return std::max(norms[0], norms[1]) / largest;
}

}  // namespace

Fields simulate(mjx::Model<double>& m, const std::string& state_file) {
    m.opt.iterations = 100;
    m.opt.tolerance = 0;
    mjx::Data<double, mjx::Model<double>> d(m);
    mjx::reset(m, d);
    mjx::apply_state(m, d, mjx::read_dump(state_file), state_file);
    Fields out = to_fields(mjx::dump_model(m));
    mjx::with_integrator(m.opt.integrator, [&](auto integrator) {
        using Integrator = decltype(integrator);
        mjx::forward<mjx::solver_of<Integrator, mjx::Newton>>(m, d);
        out.merge(to_fields(mjx::dump_data(m, d)));
        // noslip leaves the minimum on purpose; Discrete has its own law (tests/integrator/discrete_test.cpp)
        if (m.opt.noslip_iterations == 0 && !std::is_same_v<Integrator, mjx::Discrete>) out["fwdinv"] = {forward_inverse<Integrator>(m, d)};
        mjx::inverse<Integrator>(m, d);  // after the others: it overwrites the constraint forces of the forward pass
        out["qfrc_inverse"] = mjx::flat(d.qfrc_inverse);
        mjx::step<Integrator, mjx::Newton>(m, d);
    });
    out["next_qpos"] = mjx::flat(d.qpos);
    out["next_qvel"] = mjx::flat(d.qvel);
    out["next_act"] = mjx::flat(d.act);
    return out;
}

template Fields drive(const mjx::Model<double>&, int);

}  // namespace conformance
