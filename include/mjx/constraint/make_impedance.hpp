// Impedance, regularization and reference of all rows, block by block or four blocks at a time.
//
// Reads   efc_pos, efc_margin, efc_diagA, efc_D (which lanes have the row), contact
// Writes  efc_KBIP, efc_R, efc_D, efc_diagA, contact.mu
#pragma once

#include "mjx/constraint/impedance.hpp"
#include "mjx/math/fours.hpp"

namespace mjx::inner {

// What the rows of a block have in common: its impedance d, (1 - d)/d, d/(1 - d), and stiffness and damping of the reference.
template <class S>
struct BlockImpedance {
    Impedance<S> imp;
    S softness, hardness;
    Vec<S, 2> kb;
};

template <class M, class D>
void put_impedance(const M& m, D& d, int b, const BlockImpedance<typename D::scalar>& p) {
    using S = typename D::scalar;
    const int row = d.block_row[b], rows = block_rows(d, b), type = d.efc_type[row];
    const bool friction = type == cnstr::friction_dof || type == cnstr::friction_tendon, pyramid = type == cnstr::contact_pyramidal;
    const Vec<S, 4> parameters{{friction ? S(0) : p.kb[0], p.kb[1], p.imp.value, p.imp.slope}};
    for (int j = 0; j < rows; ++j) d.efc_KBIP[row + j] = parameters;
    for (int j = 0; j < (pyramid ? 1 : rows); ++j) d.efc_R[row + j] = max(p.softness * d.efc_diagA[row + j], S(minval_v<S>));
    if (pyramid || type == cnstr::contact_elliptic) match_contact_regularization(m, d, row, d.block_dim[b]);
    if (pyramid) {  // one R for all
        const S R = d.efc_R[row], inverse_R = S(1) / R, diagonal = R * p.hardness;
        for (int i = row; i < row + rows; ++i) {
            d.efc_D[i] = select(d.efc_D[i] > S(0), inverse_R, S(0));
            d.efc_diagA[i] = diagonal;
        }
        return;
    }
    for (int i = row; i < row + rows; ++i) {
        d.efc_D[i] = select(d.efc_D[i] > S(0), S(S(1) / d.efc_R[i]), S(0));
        d.efc_diagA[i] = d.efc_R[i] * p.hardness;
    }
}

template <class M, class D>
void make_block_impedance(const M& m, D& d, int b) {
    using S = typename D::scalar;
    const int row = d.block_row[b];
    const auto p = solver_parameters(m, d, row);
    const Impedance<S> imp = impedance(p.imp, block_position(d, b), S(d.efc_margin[row]));
    put_impedance(m, d, b, {imp, S((S(1) - imp.value) / imp.value), S(imp.value / (S(1) - imp.value)), stiffness_damping(p.ref, p.imp[1])});
    if (d.efc_type[row] != cnstr::contact_elliptic) return;
    const auto own = p.reffriction[0] != S(0) || p.reffriction[1] != S(0);
    const S damping = stiffness_damping(select(own, p.reffriction, p.ref), p.imp[1])[1];
    for (int j = 1; j < d.block_dim[b]; ++j) {
        d.efc_KBIP[row + j][0] = S(0);
        d.efc_KBIP[row + j][1] = damping;
    }
}

#ifdef __AVX__
// impedance() of four blocks with splines of power 2: the same sums, and the same bits.
[[gnu::always_inline]] inline Impedance<quad<double>> impedance_of_four(const Vec<quad<double>, nimp>& solimp, const quad<double>& pos,
                                                                        const quad<double>& margin) {
    using Q = quad<double>;
    const Q zero{}, one = zero + 1.0, &d0 = solimp[0], &d1 = solimp[1], &mid = solimp[3], tiny = zero + minval_v<double>;
    const Q sharpness = one / (solimp[2] < tiny ? tiny : solimp[2]);
    const auto flat = (d0 == d1) | (solimp[2] <= tiny);
    const Q signed_x = (pos - margin) * sharpness;
    const Q x = signed_x < zero ? -signed_x : signed_x, sign = signed_x < zero ? -one : one;
    const auto beyond = x >= one, outside = beyond | (x <= zero), at_end = outside | flat;
    const Q end = flat ? 0.5 * (d0 + d1) : (beyond ? d1 : d0), inner = outside ? zero + 0.5 : x;
    const auto low = inner <= mid;
    const Q base = low ? inner : one - inner, scale = one / (low ? mid : one - mid), part_y = scale * (base * base);
    const Q y = low ? part_y : one - part_y, slope = 2.0 * scale * base * sign * (d1 - d0) * sharpness;
    Impedance<Q> r;
    r.value = at_end ? end : d0 + y * (d1 - d0);
    r.slope = at_end ? zero : slope;
    return r;
}

// solref and solimp of a block, or none where solver_parameters() has more to say of it.
struct PlainParameters {
    const Vec<double, nref>* ref = nullptr;
    const Vec<double, nimp>* imp = nullptr;

    template <class M, class D>
    PlainParameters(const M& m, const D& d, int row) {
        const int type = d.efc_type[row], id = d.efc_id[row];
        if (type == cnstr::limit_joint)
            ref = &m.jnt_solref[id], imp = &m.jnt_solimp[id];
        else if (type == cnstr::contact_pyramidal || type == cnstr::contact_frictionless)
            ref = &d.contact[id].solref, imp = &d.contact[id].solimp;
    }
};

// Blocks b ... b + 3, if they are limits of joints and contacts without cones whose parameters are as those of most models: a time constant
// and a damping ratio, and a spline of power 2. False if they are not.
template <class M, class D>
bool make_four_impedances(const M& m, D& d, int b) {
    using Q = quad<double>;
    const int row[4] = {d.block_row[b], d.block_row[b + 1], d.block_row[b + 2], d.block_row[b + 3]};
    const PlainParameters p[4] = {{m, d, row[0]}, {m, d, row[1]}, {m, d, row[2]}, {m, d, row[3]}};
    if (!p[0].ref || !p[1].ref || !p[2].ref || !p[3].ref) return false;
    const auto ref = load_four(*p[0].ref, *p[1].ref, *p[2].ref, *p[3].ref);
    auto imp = load_four(*p[0].imp, *p[1].imp, *p[2].imp, *p[3].imp);
    const Q zero{}, one = zero + 1.0;
    const auto plain = (ref[0] > zero) & (ref[1] > zero) & (imp[4] == one + one);
    if (true_bits<false, double>(plain) != 15) return false;

    const auto at_least = [](const Q& x, double least) __attribute__((always_inline)) { return x < least ? Q{} + least : x; };
    const auto at_most = [](const Q& x, double most) __attribute__((always_inline)) { return most < x ? Q{} + most : x; };
    for (const int k : {0, 1, 3}) imp[k] = at_most(at_least(imp[k], min_impedance_v<double>), max_impedance_v<double>);
    imp[2] = at_least(imp[2], 0);
    const Q pos{d.efc_pos[row[0]], d.efc_pos[row[1]], d.efc_pos[row[2]], d.efc_pos[row[3]]};
    const Q margin{d.efc_margin[row[0]], d.efc_margin[row[1]], d.efc_margin[row[2]], d.efc_margin[row[3]]};
    const Impedance<Q> r = impedance_of_four(imp, pos, margin);
    const Q softness = (one - r.value) / r.value, hardness = r.value / (one - r.value);
    const double least_time = m.opt.disabled(disable::refsafe) ? 0 : m.opt.timestep * 2;
    const Q soft = imp[1] * at_least(ref[0], least_time), stiff = soft * ref[1];
    const Q k = one / at_least(stiff * stiff, minval_v<double>), damping = 2.0 * (one / at_least(soft, minval_v<double>));
    for (int i = 0; i < 4; ++i) put_impedance(m, d, b + i, {{r.value[i], r.slope[i]}, softness[i], hardness[i], {{k[i], damping[i]}}});
    return true;
}
#endif

template <class M, class D>
void make_impedance(const M& m, D& d) {
    int b = 0;
#ifdef __AVX__
    if constexpr (in_quads<M, D>())
        while (b + 4 <= d.nblock) {
            if (!make_four_impedances(m, d, b))
                for (int i = 0; i < 4; ++i) make_block_impedance(m, d, b + i);
            b += 4;
        }
#endif
    for (; b < d.nblock; ++b) make_block_impedance(m, d, b);
}

}  // namespace mjx::inner
