// Muscles: the force-length-velocity curves of MuJoCo and the activation dynamics of Millard et al. (2013).
//
// Lengths are normalized so that the optimum is 1: lengthrange maps onto prm range (0, 1), in units of L0. Forces pull, so gain
// and bias are negative. prm = range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax. Both curves are piecewise
// quadratic with continuous slope; pieces are chosen by select, and a piece of zero width divides by a tiny number instead.
#pragma once

#include "mjx/math/vec.hpp"

namespace mjx::inner {

template <class S>
S at_least_tiny(const S& x) {
    return max(x, S(minval_v<S>));
}

// A smooth step from 0 at x = 0 to 1 at x = 1 with two continuous derivatives: 6x⁵ - 15x⁴ + 10x³.
template <class S>
S sigmoid(const S& x) {
    const S y = clamp(x, S(0), S(1));
    return y * y * y * (S(3) * y * (S(2) * y - S(5)) + S(10));
}

// Active force over normalized length: 0 at lmin, 1 at the optimum, 0 at lmax.
template <class S>
S muscle_gain_length(const S& length, const S& lmin, const S& lmax) {
    const S half(0.5), one(1);
    const S a = half * (lmin + one), b = half * (one + lmax);
    const auto piece = [](const S& rise, const S& width) {
        const S x = rise / at_least_tiny(width);
        return S(x * x * value_t<S>(0.5));
    };
    S f = piece(lmax - length, lmax - b);
    f = select(length <= b, S(one - piece(length - one, b - one)), f);
    f = select(length <= one, S(one - piece(one - length, one - a)), f);
    f = select(length <= a, piece(length - lmin, a - lmin), f);
    return select(length < lmin || length > lmax, S(0), f);
}

// The peak force (scale/acc0 when the model leaves it negative), the optimal length, and length and velocity in its units.
template <class S>
struct MuscleState {
    S force, L0, length;
};
template <class S, class R, int N>
MuscleState<S> muscle_state(const S& length, const Vec<R, 2>& lengthrange, const R& acc0, const Vec<R, N>& prm) {
    MuscleState<S> s;
    s.force = select(S(prm[2]) < S(0), S(S(prm[3]) / at_least_tiny(S(acc0))), S(prm[2]));
    s.L0 = S(lengthrange[1] - lengthrange[0]) / at_least_tiny(S(prm[1] - prm[0]));
    s.length = S(prm[0]) + (length - lengthrange[0]) / at_least_tiny(s.L0);
    return s;
}

// Active force per activation.
template <class S, class R, int N>
S muscle_gain(const S& length, const S& velocity, const Vec<R, 2>& lengthrange, const R& acc0, const Vec<R, N>& prm) {
    const auto s = muscle_state(length, lengthrange, acc0, prm);
    const S one(1), fvmax(prm[8]), y = fvmax - one;
    const S v = velocity / at_least_tiny(S(s.L0 * prm[6]));
    S curve = select(v <= y, S(fvmax - (y - v) * (y - v) / at_least_tiny(y)), fvmax);
    curve = select(v <= S(0), S((v + one) * (v + one)), curve);
    curve = select(v <= S(-1), S(0), curve);
    return -s.force * muscle_gain_length(s.length, S(prm[4]), S(prm[5])) * curve;
}

// d muscle_gain / d velocity
template <class S, class R, int N>
S muscle_gain_velocity(const S& length, const S& velocity, const Vec<R, 2>& lengthrange, const R& acc0, const Vec<R, N>& prm) {
    const auto s = muscle_state(length, lengthrange, acc0, prm);
    const S one(1), fvmax(prm[8]), y = fvmax - one;
    const S unit = at_least_tiny(S(s.L0 * prm[6]));
    const S v = velocity / unit;
    S slope = select(v <= y, S(S(2) * (y - v) / at_least_tiny(y)), S(0));
    slope = select(v <= S(0), S(S(2) * (v + one)), slope);
    slope = select(v <= S(-1), S(0), slope);
    return -s.force * muscle_gain_length(s.length, S(prm[4]), S(prm[5])) * slope / unit;
}

// Passive force: zero below the optimal length, quadratic up to the middle of (1, lmax), linear beyond.
template <class S, class R, int N>
S muscle_bias(const S& length, const Vec<R, 2>& lengthrange, const R& acc0, const Vec<R, N>& prm) {
    const auto s = muscle_state(length, lengthrange, acc0, prm);
    const S half(0.5), one(1), b = half * (one + prm[5]), width = at_least_tiny(S(b - one));
    const S near = (s.length - one) / width, far = (s.length - b) / width;
    S curve = select(s.length <= b, S(half * near * near), S(half + far));
    curve = select(s.length <= one, S(0), curve);
    return -s.force * prm[7] * curve;
}

// Rate of the activation. Rising and falling have different time constants, both depending on the activation itself; with
// prm[2] > 0 they blend over that width of (control - activation), otherwise they switch. prm = tau_act, tau_deact, width.
template <class S, class R, int N>
S muscle_dynamics(const S& ctrl, const S& act, const Vec<R, N>& prm) {
    const S excitation = clamp(ctrl, S(0), S(1)) - act;
    const S slowness = S(0.5) + clamp(act, S(0), S(1)) * value_t<S>(1.5);
    const S rise = slowness * prm[0], fall = S(prm[1]) / slowness, width(prm[2]);
    const auto hard = width < S(minval_v<S>);
    const S switched = select(excitation > S(0), rise, fall);
    const S blended = fall + (rise - fall) * sigmoid(S(excitation / select(hard, S(1), width) + S(0.5)));
    return excitation / at_least_tiny(select(hard, switched, blended));
}

}  // namespace mjx::inner
