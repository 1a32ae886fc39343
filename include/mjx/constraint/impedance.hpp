// How hard and how fast a constraint is: impedance, regularization and reference stiffness from solimp and solref.
//
// Reads   efc_pos, efc_margin, contact
// Writes  efc_R, contact.mu
// The impedance d(r) in (0, 1) rises from dmin to dmax as the violation r grows to `width`, along a spline of the given power
// with its bend at `midpoint`. R = (1 - d)/d times the diagonal of the inverse inertia seen by the row; the reference
// acceleration is -b v - k d r (MuJoCo, computation chapter, "Parameters"; Todorov 2014).
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/model/option.hpp"

namespace mjx::inner {

template <class S>
struct Impedance {
    S value, slope;
};

template <class S>
inline constexpr value_t<S> min_impedance_v = static_cast<value_t<S>>(0.0001);
template <class S>
inline constexpr value_t<S> max_impedance_v = static_cast<value_t<S>>(0.9999);

// x to the power p, cheaply for the powers models use.
template <class S>
S solimp_power(const S& x, const S& p) {
    if (all(p == S(1))) return x;
    if (all(p == S(2))) return x * x;
    return pow(x, p);
}

// Impedance at position `pos`, and its derivative by pos.
template <class S>
Impedance<S> impedance(const Vec<S, nimp>& solimp, const S& pos, const S& margin) {
    const S d0 = solimp[0], d1 = solimp[1], mid = solimp[3], power = solimp[4];
    const S sharpness = S(1) / max(solimp[2], S(minval_v<S>));
    const auto flat = d0 == d1 || solimp[2] <= S(minval_v<S>);
    const S signed_x = (pos - margin) * sharpness;
    const S x = abs(signed_x), sign = select(signed_x < S(0), S(-1), S(1));
    const auto beyond = x >= S(1), at_zero = x <= S(0);
    const S end = select(flat, S(S(0.5) * (d0 + d1)), select(beyond, d1, d0));
    if (all(flat || beyond || at_zero)) return {end, S(0)};
    const S inner = select(beyond || at_zero, S(0.5), x);
    // the two halves of the spline: mid (x/mid)^p and its mirror image
    const auto low = inner <= mid;
    const S base = select(low, inner, S(1) - inner), bend = select(low, mid, S(1) - mid);
    const S scale = S(1) / solimp_power(bend, S(power - S(1)));
    const S part_y = scale * solimp_power(base, power);
    const S part_slope = power * scale * solimp_power(base, S(power - S(1)));
    const auto linear_spline = power == S(1);
    const S y = select(linear_spline, inner, select(low, part_y, S(1) - part_y));
    const S y_slope = select(linear_spline, S(1), part_slope);
    Impedance<S> r;
    r.value = d0 + y * (d1 - d0);
    r.slope = y_slope * sign * (d1 - d0) * sharpness;
    r.value = select(beyond || at_zero || flat, end, r.value);
    r.slope = select(beyond || at_zero || flat, S(0), r.slope);
    return r;
}

// solref and solimp as the solver uses them.
template <class S>
struct SolverParameters {
    Vec<S, nref> ref, reffriction;
    Vec<S, nimp> imp;
};

// Mixed signs are not a format: the default takes their place. refsafe keeps the time constant above two steps, where `refsafe` lets it.
template <class M, class S>
Vec<S, nref> safe_solref(const M& m, const Vec<S, nref>& ref, const Vec<S, nref>& fallback, bool refsafe) {
    const auto first = ref[0] > S(0), second = ref[1] > S(0);
    const auto mixed = (first && !second) || (!first && second);
    Vec<S, nref> r = select(mixed, fallback, ref);
    if (refsafe && !m.opt.disabled(disable::refsafe)) r[0] = select(r[0] > S(0), max(r[0], S(m.opt.timestep * 2)), r[0]);
    return r;
}

template <class M, class D>
auto solver_parameters(const M& m, const D& d, int row, bool refsafe = true) {
    using S = typename D::scalar;
    const int id = d.efc_id[row];
    SolverParameters<S> p;
    p.reffriction = Vec<S, nref>::zero();
    const auto take = [&](const auto& ref, const auto& imp) {
        p.ref = Vec<S, nref>::from(ref);
        p.imp = Vec<S, nimp>::from(imp);
    };
    switch (d.efc_type[row]) {
        case cnstr::equality: take(m.eq_solref[id], m.eq_solimp[id]); break;
        case cnstr::limit_joint: take(m.jnt_solref[id], m.jnt_solimp[id]); break;
        case cnstr::friction_dof: take(m.dof_solref[id], m.dof_solimp[id]); break;
        case cnstr::limit_tendon: take(m.tendon_solref_lim[id], m.tendon_solimp_lim[id]); break;
        case cnstr::friction_tendon: take(m.tendon_solref_fri[id], m.tendon_solimp_fri[id]); break;
        default:
            take(d.contact[id].solref, d.contact[id].solimp);
            p.reffriction = safe_solref(m, d.contact[id].solreffriction, Vec<S, nref>::zero(), refsafe);
    }
    p.ref = safe_solref(m, p.ref, Vec<S, nref>{{S(0.02), S(1)}}, refsafe);
    const S low(min_impedance_v<S>), high(max_impedance_v<S>);
    p.imp[0] = clamp(p.imp[0], low, high);
    p.imp[1] = clamp(p.imp[1], low, high);
    p.imp[2] = max(p.imp[2], S(0));
    p.imp[3] = clamp(p.imp[3], low, high);
    p.imp[4] = max(p.imp[4], S(1));
    return p;
}

// Stiffness and damping of the reference: from time constant and damping ratio, or given directly as negative numbers.
template <class S>
Vec<S, 2> stiffness_damping(const Vec<S, nref>& ref, const S& dmax) {
    const S tiny(minval_v<S>), soft = dmax * ref[0];
    const auto standard = ref[0] > S(0), standard_damping = ref[1] > S(0);
    const S rate = S(1) / max(soft, tiny), stiff = soft * ref[1];
    const S k_standard = S(1) / max(stiff * stiff, tiny);
    if (all(standard && standard_damping)) return {{k_standard, S(2) * rate}};
    const S inverse = S(1) / max(dmax, tiny);
    return {{select(standard, k_standard, -ref[0] * inverse * inverse), select(standard_damping, S(2) * rate, -ref[1] * inverse)}};
}

// Friction rows of a contact are softer or harder than its normal by impratio; all edges of a pyramid share one R, chosen so
// that its friction is as stiff as the elliptic cone's.
template <class M, class D>
void match_contact_regularization(const M& m, D& d, int row, int dim) {
    using S = typename D::scalar;
    using Real = typename M::real;
    auto& contact = d.contact[d.efc_id[row]];
    const Real ratio = Real(1) / max(Real(m.opt.impratio), Real(minval_v<Real>));
    contact.mu = contact.friction[0] * sqrt(ratio);
    if (d.efc_type[row] == cnstr::contact_elliptic) {
        d.efc_R[row + 1] = d.efc_R[row] * ratio;
        const S fixed = d.efc_R[row + 1] * contact.friction[0] * contact.friction[0];
        for (int j = 2; j < dim; ++j) d.efc_R[row + j] = fixed / (contact.friction[j - 1] * contact.friction[j - 1]);
    } else {
        const S edge = S(2) * contact.mu * contact.mu * d.efc_R[row];
        for (int j = 0; j < 2 * (dim - 1); ++j) d.efc_R[row + j] = edge;
    }
}

// What the impedance of a block goes by: the position of its row, or how far apart a connect or a weld is.
template <class D>
auto block_position(const D& d, int block) {
    using S = typename D::scalar;
    const int row = d.block_row[block], dim = d.block_dim[block];
    const S pos = d.efc_pos[row];
    if (d.efc_type[row] != cnstr::equality || dim == 1) return pos;
    S sum = pos * pos;
    for (int j = 1; j < dim; ++j) sum += d.efc_pos[row + j] * d.efc_pos[row + j];
    return S(sqrt(sum));
}

}  // namespace mjx::inner
