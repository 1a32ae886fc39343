// Damping and armature that a joint or tendon inherits from its actuators, reflected through the gear: both scale with gear².
//
// jnt_actuatorid and tendon_actuatorid hold the one actuator that contributes, -1 for none, or -2 for several.
#pragma once

#include "mjx/math/poly.hpp"
#include "mjx/math/quad.hpp"
#include "mjx/model/transmission_kinds.hpp"

namespace mjx::inner {

template <class R>
struct Damping {
    R linear;
    Vec<R, npoly> poly;
};

// Whether any actuator does; most joints and tendons stand alone.
template <class M>
constexpr bool has_lenders(const M& m, int type, int id) {
    return (type == obj::tendon ? m.tendon_actuatorid[id] : m.jnt_actuatorid[id]) != -1;
}

// Calls f(actuator, gear²) for the actuators that lend damping and armature to the joint or tendon (type: obj::).
template <class M, class F>
constexpr void for_each_lender(const M& m, int type, int id, F&& f) {
    const int lender = type == obj::tendon ? m.tendon_actuatorid[id] : m.jnt_actuatorid[id];
    const int first = lender >= 0 ? lender : 0, last = lender >= 0 ? lender + 1 : m.nactuator;
    for (int i = first; i < last; ++i) {
        if (lender < 0 && !actuator_drives(m, i, type, id)) continue;
        const auto gear = m.actuator_gear[m.actuator_outadr[i]][0];
        f(i, gear * gear);
    }
}

// Own damping of the joint's dof or the tendon plus what its actuators lend.
template <class M, class R>
constexpr Damping<R> total_damping(const M& m, int type, int id, const R& own, const Vec<R, npoly>& own_poly) {
    Damping<R> sum{own, own_poly};
    if (!has_lenders(m, type, id)) return sum;
    for_each_lender(m, type, id, [&](int i, const R& gear2) {
        sum.linear += m.actuator_damping[i] * gear2;
        for (int k = 0; k < npoly; ++k) sum.poly[k] += m.actuator_dampingpoly[i][k] * gear2;
    });
    return sum;
}
template <class M>
constexpr auto dof_total_damping(const M& m, int dof) {
    return total_damping(m, obj::joint, m.dof_jntid[dof], m.dof_damping[dof], m.dof_dampingpoly[dof]);
}
// Whether every dof of a runtime model has its own linear damping alone, as most models have it: then it is the table of it.
template <class S, class M>
bool has_plain_damping(const M& m) {
    if constexpr (M::is_fixed || !std::floating_point<S> || !std::same_as<typename M::real, S>) {
        return false;
    } else {
        int lenders = 0;
        for (int j = 0; j < m.njnt; ++j) lenders |= m.jnt_actuatorid[j] + 1;
        return lenders == 0 && m.nv > 0 && all_zero(m.dof_dampingpoly[0].e, npoly * m.nv);
    }
}
template <class M>
constexpr auto tendon_total_damping(const M& m, int tendon) {
    return total_damping(m, obj::tendon, tendon, m.tendon_damping[tendon], m.tendon_dampingpoly[tendon]);
}

// The lanes in which Euler integrates the joints' dampers implicitly. As in MuJoCo, dampers that are all negative stay explicit.
template <class M>
auto implicitly_damped(const M& m) {
    using Real = typename M::real;
    mask_t<Real> damped(false);
    for (int i = 0; i < m.nv && !all(damped); ++i) {
        damped = damped || m.dof_damping[i] > Real(0) || mask_t<Real>(m.jnt_actuatorid[m.dof_jntid[i]] != -1);
        for (int k = 0; k < npoly; ++k) damped = damped || m.dof_dampingpoly[i][k] != Real(0);
    }
    return damped;
}

template <class M, class R>
constexpr R total_armature(const M& m, int type, int id, const R& own) {
    R sum = own;
    if (!has_lenders(m, type, id)) return sum;
    for_each_lender(m, type, id, [&](int i, const R& gear2) { sum += m.actuator_armature[i] * gear2; });
    return sum;
}
template <class M>
constexpr auto dof_total_armature(const M& m, int dof) {
    return total_armature(m, obj::joint, m.dof_jntid[dof], m.dof_armature[dof]);
}
template <class M>
constexpr auto tendon_total_armature(const M& m, int tendon) {
    return total_armature(m, obj::tendon, tendon, m.tendon_armature[tendon]);
}

}  // namespace mjx::inner
