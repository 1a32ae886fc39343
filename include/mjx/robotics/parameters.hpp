// set_constants: recomputes all tables of a model that follow from others; set_mass.
//
// Writes  the tables of stage/same_frames.hpp, stage/constants.hpp and stage/statistics.hpp
#pragma once

#include "mjx/stage/constants.hpp"
#include "mjx/stage/statistics.hpp"

namespace mjx::inner {

// With a Data of the same model as work space: no heap. It must be reset before it is used again.
template <class M, class D>
void set_constants(M& m, D& d) {
    static_assert(!M::is_fixed, "parameters of a fixed model are constants; cast<double>(models::Arm{}) gives a model in which they change");
    static_assert(std::is_same_v<typename D::scalar, typename M::real>, "the Data for set_constants must have the model's own numbers");
    mark_same_frames(m);
    set_subtree_mass(m);
    set_rest_constants(m, d);
    set_statistics(m, d);
    set_spring_lengths(m, d);
}
template <class M>
void set_constants(M& m) {
    Data<typename M::real, M> d(m);
    set_constants(m, d);
}

// Gives body b another mass; its inertia grows in proportion.
template <class M, class R>
void set_mass(M& m, int b, const R& mass) {
    using Real = typename M::real;
    const auto massless = m.body_mass[b] < Real(minval_v<Real>);
    const Real scale = select(massless, Real(1), Real(Real(mass) / select(massless, Real(1), m.body_mass[b])));
    m.body_mass[b] = Real(mass);
    m.body_inertia[b] *= scale;
}

}  // namespace mjx::inner
