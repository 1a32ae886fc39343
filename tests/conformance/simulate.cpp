#include "simulate.hpp"

#include "drive.hpp"

#include "mjx/registry.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/step.hpp"

namespace conformance {

Fields simulate(mjx::Model<double>& m, const std::string& state_file) {
    m.opt.iterations = 100;
    m.opt.tolerance = 0;
    mjx::Data<double, mjx::Model<double>> d(m);
    mjx::reset(m, d);
    mjx::apply_state(m, d, mjx::read_dump(state_file), state_file);
    mjx::forward<mjx::Newton>(m, d);
    Fields out = to_fields(mjx::dump_model(m));
    out.merge(to_fields(mjx::dump_data(m, d)));
    mjx::inverse(m, d);  // after the others: it overwrites the constraint forces of the forward pass
    out["qfrc_inverse"] = mjx::flat(d.qfrc_inverse);
    mjx::with_integrator(m.opt.integrator, [&](auto integrator) { mjx::step<decltype(integrator), mjx::Newton>(m, d); });
    out["next_qpos"] = mjx::flat(d.qpos);
    out["next_qvel"] = mjx::flat(d.qvel);
    out["next_act"] = mjx::flat(d.act);
    return out;
}

template Fields drive(const mjx::Model<double>&, int);

}  // namespace conformance
