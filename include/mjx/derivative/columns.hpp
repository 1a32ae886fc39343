// The derivatives of a step as matrices, column by column: what differentiation by duals and by differences share.
//
//     dx' = A dx + B du,   dy = C dx + D du             (mjd_transitionFD)
// x = (δq, qvel, act) with nv + nv + na entries, u = ctrl, y = sensordata as the step leaves it. Positions are varied in the tangent
// space, q ⊕ δq, and the next position is measured there too, q' ⊖ q'(0). The columns of u follow those of x, the rows of y those of x'.
#pragma once

#include "mjx/data/views.hpp"
#include "mjx/data/walk.hpp"
#include "mjx/integrator/advance.hpp"

namespace mjx::inner {

template <class T>
struct Transition {
    Matrix<T> A;  // (2 nv + na, 2 nv + na)
    Matrix<T> B;  // (2 nv + na, nu)
    Matrix<T> C;  // (nsensordata, 2 nv + na)
    Matrix<T> D;  // (nsensordata, nu)
};

template <class M>
constexpr int state_columns(const M& m) {
    return 2 * m.nv + m.na;
}
template <class M>
constexpr int transition_columns(const M& m) {
    return state_columns(m) + m.nu;
}
template <class M>
constexpr int transition_rows(const M& m) {
    return state_columns(m) + m.nsensordata;
}

template <class T, class M>
Transition<T> make_transition(const M& m) {
    const auto matrix = [](int rows, int columns) {
        return Matrix<T>::from_shape({static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
    };
    const int n = state_columns(m);
    return {matrix(n, n), matrix(n, m.nu), matrix(m.nsensordata, n), matrix(m.nsensordata, m.nu)};
}

// The entry of A, B, C or D in row r and column c.
template <class T, class M>
T& transition_entry(Transition<T>& t, const M& m, int r, int c) {
    const int n = state_columns(m);
    auto& matrix = r < n ? (c < n ? t.A : t.B) : (c < n ? t.C : t.D);
    return matrix(static_cast<std::size_t>(r < n ? r : r - n), static_cast<std::size_t>(c < n ? c : c - n));
}

template <class S, class M>
struct ColumnsWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<S, Dim::nv> dq{at};  // a change of position
    array<S, Dim::nq> qpos{at};  // the position it is measured from
};

// What a simulation continues from, without derivatives.
template <class To, class From>
void copy_state(To& to, const From& from) {
    for_each_state_number([](auto& x, const auto& y) { x = y; }, to, from);
}

// Adds delta(c) to the columns first..last-1 of (x, u).
template <class M, class D, class Delta>
void vary(const M& m, D& d, int first, int last, Delta&& delta) {
    using S = typename D::scalar;
    if (first < m.nv) {
        const auto w = borrow<ColumnsWork>(m, d);
        for (int i = 0; i < m.nv; ++i) w->dq[i] = S(0);
        for (int c = first; c < last && c < m.nv; ++c) w->dq[c] = delta(c);
        integrate_pos(m, d.qpos, w->dq, value_t<S>(1));
    }
    for (int c = first; c < last; ++c) {
        const int v = c - m.nv, a = v - m.nv, u = a - m.na;
        if (v >= 0 && v < m.nv) d.qvel[v] += delta(c);
        if (a >= 0 && a < m.na) d.act[a] += delta(c);
        if (u >= 0) d.ctrl[u] += delta(c);
    }
}

// The state of `from` in x, a data of duals, with the columns first..last-1 of (x, u) as its variables.
template <class M, class X, class D>
void vary_state(const M& m, X& x, const D& from, int first, int last) {
    copy_state(x, from);
    vary(m, x, first, last, [&](int c) { return X::scalar::variable(typename D::scalar(0), c - first); });
}

// Row r of (x', y) after the step, where dq has the position's.
template <class M, class D, class Q>
const typename D::scalar& stepped(const M& m, const D& d, const Q& dq, int r) {
    const int v = r - m.nv, a = v - m.nv, y = a - m.na;
    return y >= 0 ? d.sensordata[y] : a >= 0 ? d.act[a] : v >= 0 ? d.qvel[v] : dq[r];
}

// The partials of a step on duals, whose variables were the columns first..last-1, in their places.
template <class T, class M, class X>
void take_columns(const M& m, X& x, int first, int last, Transition<T>& result) {
    const auto w = borrow<ColumnsWork>(m, x);
    for (int i = 0; i < m.nq; ++i) w->qpos[i] = typename X::scalar(x.qpos[i].value);
    differentiate_pos(m, w->dq, x.qpos, w->qpos);
    for (int r = 0; r < transition_rows(m); ++r)
        for (int c = first; c < last; ++c) transition_entry(result, m, r, c) = stepped(m, x, w->dq, r).partial[c - first];
}

}  // namespace mjx::inner
