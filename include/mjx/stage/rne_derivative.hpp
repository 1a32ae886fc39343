// How inverse dynamics changes with position and velocity at a fixed acceleration: d(M a + bias)/dq and /dv over the tree, O(n depth).
//
// Reads   cdof, cdof_dot, cvel, cinert, crb, qvel and the acceleration a
// Adds    to the columns of q and v of a matrix with a row for each dof
// World axes, about a point that is fixed where the tree's com is now: generalized forces do not depend on it. A unit change of q_j, in the
// tangent space, moves all bodies and axes beyond j by the twist s_j; the three axes of a ball, which turn with it, among themselves too
// (`reach`). With v⁻, a⁻ the velocity and acceleration (gravity included) before joint j, ψ̇ = v⁻ × s (cdof_dot) and
// ψ̈ = a⁻ × s + v⁻ × ψ̇, what body b below j has beyond being carried along is δv = ψ̇_j and δa = ψ̈_j - v_b × ψ̇_j.
// Its force then changes by
//     ∂f_b/∂q_j = s_j ×* f_b + I_b ψ̈_j + E_b ψ̇_j,     ∂f_b/∂q̇_j = I_b r_j + E_b s_j
// with E and r of bias_derivative.hpp (Singh, Russell and Wensing 2022, eqs. 37-40; Carpentier and Mansard 2018). I, E and f add up over
// subtrees. For j an ancestor of i, s_i is carried along with f and the first term drops out of row i:
//     ∂τ_i/∂q_j = s_i · (I_i ψ̈_j + E_i ψ̇_j),            ∂τ_j/∂q_i = s_j · (s_i ×* f_i + I_i ψ̈_i + E_i ψ̇_i)
//     ∂τ_i/∂q̇_j = s_i · (I_i r_j + E_i s_j),             ∂τ_j/∂q̇_i = s_j · (I_i r_i + E_i s_i)
#pragma once

#include "mjx/model/array.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/model/types.hpp"
#include "mjx/scalar/nothing.hpp"
#include "mjx/stage/bias_derivative.hpp"

namespace mjx::inner {

// The last dof whose axis turns with dof i: that of a rotation's three axes, else i itself.
template <class M>
int dof_reach(const M& m, int i) {
    const int j = m.dof_jntid[i], type = m.jnt_type[j], first = m.jnt_dofadr[j];
    return M::joints::turns_with_body(type, i - first) ? first + M::joints::rotation(type) + 2 : i;
}

// What the derivatives of forces on a tree are made of.
template <class S>
struct TreeMotion {
    Array<int> reach;  // of each dof
    Array<Vec6<S>> bent;  // ψ̈ of each dof
    Array<Vec6<S>> rate;  // r of each dof
    Array<Vec6<S>> turned;  // Γ⁻ × s of each dof, Γ⁻ = Σ s a before its joint: the change of J a beyond being carried along
    Array<Vec6<S>> acceleration,  // of each body, gravity included
        pushed,  // Γ = Σ s a of each body: J a
        force,  // of each subtree
        momentum;
    Array<Mat3<S>> gyration;  // G of each subtree

    template <class M>
    explicit TreeMotion(const M& m) {
        reach.resize(m.nv);
        for (int i = 0; i < m.nv; ++i) reach[i] = dof_reach(m, i);
        for (auto* each : {&bent, &rate, &turned}) each->resize(m.nv);
        for (auto* each : {&acceleration, &pushed, &force, &momentum}) each->resize(m.nbody);
        gyration.resize(m.nbody);
    }
};

// Motions of axes and bodies under the acceleration qacc, and the forces of bodies; with `still`, as if the tree were at rest and without
// gravity, where the forces are M qacc.
template <class M, class D, class A, class S>
void tree_motion(const M& m, const D& d, const A& qacc, bool still, TreeMotion<S>& t) {
    const Vec6<S> none = Vec6<S>::zero();
    t.acceleration[0] = t.pushed[0] = none;
    if (!still && !m.opt.disabled(disable::gravity))
        for (int k = 0; k < 3; ++k) t.acceleration[0][3 + k] = S(-m.opt.gravity[k]);
    for (int b = 1; b < m.nbody; ++b) {
        const int parent = m.body_parentid[b];
        Vec6<S> v = still ? none : d.cvel[parent], a = t.acceleration[parent], pushed = t.pushed[parent];
        const int first = m.body_dofadr[b], end = first + m.body_dofnum[b];
        for (int i = first; i < end;) {
            const int last = t.reach[i];
            Vec6<S> own_v = none, own_a = none, own = none;
            for (int k = i; k <= last; ++k) {
                const Vec6<S>& s = d.cdof[k];
                t.turned[k] = cross_motion(pushed, s);
                t.bent[k] = cross_motion(a, s);
                own += s * qacc[k];
                own_a += s * qacc[k];
                if (still) continue;
                t.bent[k] += cross_motion(v, d.cdof_dot[k]);
                own_v += s * d.qvel[k];
                own_a += d.cdof_dot[k] * d.qvel[k];
            }
            for (int k = i; k <= last && !still; ++k)
                t.rate[k] = d.cdof_dot[k] * value_t<S>(2) + (last > i ? cross_motion(own_v, d.cdof[k]) : none);
            v += own_v;
            a += own_a;
            pushed += own;
            i = last + 1;
        }
        t.acceleration[b] = a;
        t.pushed[b] = pushed;
        t.force[b] = d.cinert[b] * a;
        if (still) continue;
        t.momentum[b] = d.cinert[b] * d.cvel[b];
        t.gyration[b] = gyration(d.cinert[b], d.cvel[b]);
        t.force[b] += cross_force(d.cvel[b], t.momentum[b]);
    }
    for (int b = m.nbody - 1; b > 0; --b) {
        const int parent = m.body_parentid[b];
        if (parent == 0) continue;
        t.force[parent] += t.force[b];
        if (still) continue;
        t.momentum[parent] += t.momentum[b];
        for (int k = 0; k < 9; ++k) t.gyration[parent][k] += t.gyration[b][k];
    }
}

// by_q(i, j) += ∂τ_i/∂q_j, by_v(i, j) += ∂τ_i/∂q̇_j, after tree_motion.
template <class M, class D, class S, class Q, class V>
void add_rne_derivative(const M& m, const D& d, const TreeMotion<S>& t, Q&& by_q, V&& by_v) {
    for (int i = 0; i < m.nv; ++i) {
        const int b = m.dof_bodyid[i], row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        const Vec6<S>& s = d.cdof[i];
        const Vec3<S> p = linear(t.momentum[b]);
        const Mat3<S>& G = t.gyration[b];
        const auto E = [&](const Vec6<S>& x) { return spatial(Vec3<S>(G * angular(x)), Vec3<S>(cross(angular(x), p) * value_t<S>(2))); };
        const Vec6<S> inertia = d.crb[b] * s;
        const Vec3<S> spin = transpose_mul(G, angular(s)) + cross(p, linear(s)) * value_t<S>(2);
        const Vec6<S> carried = cross_force(s, t.force[b]), bent = d.crb[b] * t.bent[i] + E(d.cdof_dot[i]);
        const Vec6<S> by_rate = d.crb[b] * t.rate[i] + E(s), moved = carried + bent;
        for (int c = 0; c <= last; ++c) {
            const int j = m.M_colind[row + c];
            by_q(i, j) += dot(inertia, t.bent[j]) + dot(spin, angular(d.cdof_dot[j]));
            by_v(i, j) += dot(inertia, t.rate[j]) + dot(spin, angular(d.cdof[j]));
            if (c == last) continue;
            by_q(j, i) += dot(d.cdof[j], t.reach[j] >= i ? bent : moved);
            by_v(j, i) += dot(d.cdof[j], by_rate);
        }
    }
}

// by_q(i, j) += ∂(M a)_i/∂q_j, after tree_motion of a tree that is still.
template <class M, class D, class S, class Q>
void add_inertia_derivative(const M& m, const D& d, const TreeMotion<S>& t, Q&& by_q) {
    for (int i = 0; i < m.nv; ++i) {
        const int b = m.dof_bodyid[i], row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        const Vec6<S> inertia = d.crb[b] * d.cdof[i], bent = d.crb[b] * t.bent[i];
        const Vec6<S> moved = cross_force(d.cdof[i], t.force[b]) + bent;
        for (int c = 0; c <= last; ++c) {
            const int j = m.M_colind[row + c];
            by_q(i, j) += dot(inertia, t.bent[j]);
            if (c < last) by_q(j, i) += dot(d.cdof[j], t.reach[j] >= i ? bent : moved);
        }
    }
}

}  // namespace mjx::inner
