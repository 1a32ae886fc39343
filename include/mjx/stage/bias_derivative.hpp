// How the bias forces change with the velocities: qDeriv -= d qfrc_bias / d qvel.
//
// Reads   cdof, cdof_dot, cvel, cinert, crb, qvel
// Writes  qDeriv, qDeriv_upper (subtracts)
// For a body with inertia I and velocity v, f = I a + v ×* I v. With r_j = d/dt of axis j before plus after its joint moves,
//     ∂f/∂q̇_j = I r_j + E s_j,   E s = v ×* I s - I (v × s) + s ×* I v,
// for every dof j that moves the body (Singh, Russo, Wensing 2022). Written out, E only reads the angular part w' of s:
//     E s = (G w', 2 w' × p),   G = [w] J - J [w] - [L] - [u][c] - [c][u],
// with p, L the body's momenta, J and c the rotational inertia and mass times com offset, w and u the velocity. Both G and p add up
// over a subtree, as inertias do, so that for j an ancestor of i
//     ∂τ_i/∂q̇_j = s_i · (I_i r_j + E_i s_j),   ∂τ_j/∂q̇_i = s_j · (I_i r_i + E_i s_i),   I_i, E_i of the subtree of i.
#pragma once

#include "mjx/data/work.hpp"
#include "mjx/math/spatial.hpp"
#include "mjx/model/joints.hpp"

namespace mjx::inner {

template <class S, class M>
struct BiasWork {
    WorkPlace<M>* at;
    template <class T, auto Size>
    using array = WorkArray<T, Size, S, M>;
    array<Mat3<S>, Dim::nbody> G{at};  // of every subtree
    array<Vec6<S>, Dim::nbody> p{at};
    array<Vec6<S>, Dim::nv> r{at};
};

template <class T>
constexpr Mat3<T> skew(const Vec3<T>& v) {
    return {{T(0), -v[2], v[1], v[2], T(0), -v[0], -v[1], v[0], T(0)}};
}

// G of one body.
template <class S>
Mat3<S> gyration(const Inertia<S>& inertia, const Vec6<S>& velocity) {
    const Mat3<S> J{{inertia[0], inertia[3], inertia[4], inertia[3], inertia[1], inertia[5], inertia[4], inertia[5], inertia[2]}};
    const Mat3<S> w = skew(angular(velocity)), u = skew(linear(velocity));
    const Mat3<S> c = skew(Vec3<S>{{inertia[6], inertia[7], inertia[8]}});
    const Mat3<S> L = skew(angular(inertia * velocity));
    const Mat3<S> wJ = w * J, Jw = J * w, uc = u * c, cu = c * u;
    Mat3<S> g;
    for (int k = 0; k < 9; ++k) g[k] = wJ[k] - Jw[k] - L[k] - uc[k] - cu[k];
    return g;
}

// G and p of every subtree and r of every dof, for subtract_bias_derivative.
template <class M, class D>
void bias_derivative_terms(const M& m, const D& d, BiasWork<typename D::scalar, M>& w) {
    using S = typename D::scalar;
    for (int b = 1; b < m.nbody; ++b) {
        w.G[b] = gyration(d.cinert[b], d.cvel[b]);
        w.p[b] = d.cinert[b] * d.cvel[b];
    }
    for (int b = m.nbody - 1; b > 0; --b) {
        const int parent = m.body_parentid[b];
        if (parent == 0) continue;
        for (int k = 0; k < 9; ++k) w.G[parent][k] += w.G[b][k];
        w.p[parent] += w.p[b];
    }
    for (int i = 0; i < m.nv; ++i) w.r[i] = d.cdof_dot[i] * value_t<S>(2);
    for (int j = 0; j < m.njnt; ++j) {
        // the three axes of a rotation turn with it: after the joint they also move with its own velocity
        const int rotation = M::joints::rotation(m.jnt_type[j]), first = m.jnt_dofadr[j] + rotation;
        if (rotation < 0) continue;
        Vec6<S> own = Vec6<S>::zero();
        for (int k = 0; k < 3; ++k) own += d.cdof[first + k] * d.qvel[first + k];
        for (int k = 0; k < 3; ++k) w.r[first + k] += cross_motion(own, d.cdof[first + k]);
    }
}

// The rows and columns of dofs first .. first + count - 1, after bias_derivative_terms.
template <class M, class D>
void subtract_bias_derivative(const M& m, D& d, const BiasWork<typename D::scalar, M>& w, int first, int count) {
    using S = typename D::scalar;
    for (int i = first; i < first + count; ++i) {
        const int b = m.dof_bodyid[i], row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
        const Vec3<S> spin = angular(d.cdof[i]), shift = linear(d.cdof[i]), p = linear(w.p[b]);
        const Vec6<S> by_rate = d.crb[b] * d.cdof[i];
        const Vec3<S> by_spin = transpose_mul(w.G[b], spin) + cross(p, shift) * value_t<S>(2);
        const Vec6<S> column = d.crb[b] * w.r[i] + spatial(Vec3<S>(w.G[b] * spin), Vec3<S>(cross(spin, p) * value_t<S>(2)));
        for (int c = 0; c <= last; ++c) {
            const int j = m.M_colind[row + c];
            d.qDeriv[row + c] -= dot(by_rate, w.r[j]) + dot(by_spin, angular(d.cdof[j]));
            d.qDeriv_upper[row + c] -= dot(d.cdof[j], column);
        }
    }
}

}  // namespace mjx::inner
