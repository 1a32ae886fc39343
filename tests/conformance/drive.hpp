// Steps a model with controls and returns every field of where it ends. The loaded model's share is compiled once, in simulate.cpp.
#pragma once

#include "rooms.hpp"

#include "compare.hpp"

#include "mjx/integrator/euler.hpp"
#include "mjx/model/model.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/step.hpp"

#include <memory>

namespace conformance {

template <class M>
Fields drive(const M& m, int steps) {
    const auto d = std::make_unique<mjx::Data<double, M>>(m);
    mjx::reset(m, *d);
    for (int k = 0; k < steps; ++k) {
        for (int i = 0; i < m.nu; ++i) d->ctrl[i] = 0.3 * ((i + k / 10) % 3 - 1);
        mjx::step<mjx::Euler, mjx::Newton>(m, *d);
    }
    mjx::forward<mjx::Newton>(m, *d);
    return to_fields(mjx::dump_data(m, *d));
}
extern template Fields drive(const mjx::Model<double>&, int);

}  // namespace conformance
