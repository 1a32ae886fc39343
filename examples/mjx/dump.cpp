// mjx dump: every field of a state.
#include "simulation.hpp"

namespace command {

namespace {

template <class M>
int dump_as(const M& m, const Options& o) {
    const Method<M> method = find_method(m);
    mjx::Data<typename M::real, M> d(m);
    start(m, d, o);
    Controls controls(m, o);
    for (int i = 0; i < o.steps.value_or(0); ++i) {
        controls.apply(d, i);
        method.step(m, d);
    }
    controls.apply(d, o.steps.value_or(0));
    method.forward(m, d);
    mjx::Dump fields = mjx::dump_data(m, d);
    method.inverse(m, d);  // after the others: it overwrites the constraint forces of the forward pass
    fields.back() = {"qfrc_inverse", mjx::flat(d.qfrc_inverse)};
    std::string text = mjx::to_text(mjx::dump_model(m)) + mjx::to_text(fields);
    method.step(m, d);
    text += mjx::to_text({{"next_qpos", mjx::flat(d.qpos)}, {"next_qvel", mjx::flat(d.qvel)}, {"next_act", mjx::flat(d.act)}});
    std::fputs(text.c_str(), stdout);
    return print_warnings(m, d);
}

}  // namespace

int dump(const Options& o) {
    const auto model = load(o);
    return o.scalar.value_or("double") == "float" ? dump_as(mjx::cast<float>(model), o) : dump_as(model, o);
}

}  // namespace command
