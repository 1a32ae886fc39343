// Energy; centres of mass and momenta of subtrees: their Jacobians, and the centroidal momentum matrix with its rate.
//
//     energies(m, d).kinetic                            and .potential, whether the model asks for energies or not
//     momentum(m, d, b)                                 6 numbers: angular momentum about the subtree's centre of mass, then linear
//     jacobian(m, d, com("torso"), J)                   3 x nv: the velocity of the subtree's centre of mass (mj_jacSubtreeCom)
//     jacobian(m, d, angular_momentum("torso"), J)      3 x nv: its angular momentum about that centre (mj_angmomMat)
//     centroidal_momentum(m, d, b, A)                   6 x nv: angular, then linear momentum = A qvel (Orin et al. 2013)
// Reads   cdof, subtree_com; momenta also crb; rates also cvel, cdof_dot, qvel, cinert
// Dof i moves the bodies below it as one: within the subtree of body b that part is all of it if i is above b, else the subtree of i's
// own body. Its momentum is the part's inertia times cdof_i.
#pragma once

#include "mjx/model/types.hpp"
#include "mjx/robotics/answer.hpp"
#include "mjx/robotics/frames.hpp"
#include "mjx/stage/energy.hpp"

namespace mjx::inner {

// The subtree of a body, by the body.
template <class F>
struct ComOf {
    F body;
};
template <class F>
struct AngularMomentumOf {
    F body;
};
constexpr ComOf<Frame<FrameKind::body>> com(int id) { return {{id}}; }
constexpr ComOf<Frame<FrameKind::body>> com(Frame<FrameKind::body> body) { return {body}; }
constexpr ComOf<NamedFrame<FrameKind::body>> com(std::string_view name) { return {{name}}; }
constexpr AngularMomentumOf<Frame<FrameKind::body>> angular_momentum(int id) { return {{id}}; }
constexpr AngularMomentumOf<Frame<FrameKind::body>> angular_momentum(Frame<FrameKind::body> body) { return {body}; }
constexpr AngularMomentumOf<NamedFrame<FrameKind::body>> angular_momentum(std::string_view name) { return {{name}}; }

// Rows of a Jacobian: 3 of these, 6 of frames.
template <class F>
constexpr int jacobian_rows(const F&) {
    return 6;
}
template <class F>
constexpr int jacobian_rows(const ComOf<F>&) {
    return 3;
}
template <class F>
constexpr int jacobian_rows(const AngularMomentumOf<F>&) {
    return 3;
}

// One past the last body of the subtree: bodies are numbered depth first.
template <class M>
constexpr int subtree_end(const M& m, int b) {
    int end = b + 1;
    while (end < m.nbody && m.body_parentid[end] >= b) ++end;
    return end;
}

// f(i, part) for each dof i that moves something of the subtree of b: the subtree of the body `part`.
template <class M, class F>
void for_each_moved_part(const M& m, int b, F&& f) {
    for_each_dof_of(m, b, [&](int i) { f(i, b); });
    const int end = subtree_end(m, b);
    for (int k = b + 1; k < end; ++k)
        for (int i = m.body_dofadr[k]; i < m.body_dofadr[k] + m.body_dofnum[k]; ++i) f(i, k);
}

// The mass of a part in that of the subtree; 0 where there is none.
template <class M>
auto mass_share(const M& m, int part, int b) {
    using Real = typename M::real;
    const auto massless = m.body_subtreemass[b] < Real(minval_v<Real>);
    return select(massless, Real(0), Real(m.body_subtreemass[part] / select(massless, Real(1), m.body_subtreemass[b])));
}

// The velocity of the centre of mass of the subtree of `part`, for a motion of its tree.
template <class M, class D, class S>
Vec3<S> velocity_of_com(const M& m, const D& d, int part, const Vec6<S>& motion) {
    return linear(motion) + cross(angular(motion), Vec3<S>(d.subtree_com[part] - d.subtree_com[m.body_rootid[part]]));
}

template <class M, class D, class F, class J>
void jacobian(const M& m, const D& d, const ComOf<F>& subtree, J& out) {
    const int b = frame_id(m, subtree.body);
    clear_matrix(out, 3, m.nv);
    for_each_moved_part(m, b, [&](int i, int part) {
        const auto column = velocity_of_com(m, d, part, d.cdof[i]) * mass_share(m, part, b);
        for (int r = 0; r < 3; ++r) out(r, i) = column[r];
    });
}

template <class M, class D, class F>
auto velocity(const M& m, const D& d, const ComOf<F>& subtree) {
    using S = typename D::scalar;
    const int b = frame_id(m, subtree.body);
    Vec3<S> sum = Vec3<S>::zero();
    for_each_moved_part(m, b, [&](int i, int part) { sum += velocity_of_com(m, d, part, d.cdof[i]) * mass_share(m, part, b) * d.qvel[i]; });
    return sum;
}

template <class M, class D, class F>
auto jacobian_dot_times_v(const M& m, const D& d, const ComOf<F>& subtree) {
    using S = typename D::scalar;
    const int b = frame_id(m, subtree.body), end = subtree_end(m, b);
    Vec3<S> sum = Vec3<S>::zero();
    for_each_moved_part(m, b,
                        [&](int i, int part) { sum += velocity_of_com(m, d, part, d.cdof_dot[i]) * mass_share(m, part, b) * d.qvel[i]; });
    typename M::real total(0);
    Vec3<S> turning = Vec3<S>::zero();
    for (int k = b; k < end; ++k) {
        const Vec6<S> v = velocity_at(m, d, k, d.xipos[k]);
        turning += cross(angular(v), linear(v)) * m.body_mass[k];
        total += m.body_mass[k];
    }
    const auto massless = total < typename M::real(minval_v<S>);
    return Vec3<S>(sum + turning * select(massless, typename M::real(0), 1 / select(massless, typename M::real(1), total)));
}

// Momentum, torque first, seen from a point away from the one it is about.
template <class S>
Vec6<S> momentum_about(const Vec6<S>& momentum, const Vec3<S>& away) {
    return spatial(Vec3<S>(angular(momentum) - cross(away, linear(momentum))), linear(momentum));
}

template <class M, class D, class F, class J>
void jacobian(const M& m, const D& d, const AngularMomentumOf<F>& subtree, J& out) {
    using S = typename D::scalar;
    const int b = frame_id(m, subtree.body);
    clear_matrix(out, 3, m.nv);
    for_each_moved_part(m, b, [&](int i, int part) {
        const Vec3<S> away = d.subtree_com[b] - d.subtree_com[m.body_rootid[part]];
        const Vec6<S> column = momentum_about(d.crb[part] * d.cdof[i], away);
        for (int r = 0; r < 3; ++r) out(r, i) = column[r];
    });
}

template <class M, class D, class J>
void centroidal_momentum(const M& m, const D& d, int b, J& out) {
    using S = typename D::scalar;
    clear_matrix(out, 6, m.nv);
    for_each_moved_part(m, b, [&](int i, int part) {
        const Vec3<S> away = d.subtree_com[b] - d.subtree_com[m.body_rootid[part]];
        const Vec6<S> column = momentum_about(d.crb[part] * d.cdof[i], away);
        for (int r = 0; r < 6; ++r) out(r, i) = column[r];
    });
}

template <class M, class D>
auto momentum(const M& m, const D& d, int b) {
    using S = typename D::scalar;
    Vec6<S> sum = Vec6<S>::zero();
    const int end = subtree_end(m, b);
    for (int k = b; k < end; ++k)
        sum += momentum_about(d.cinert[k] * d.cvel[k], Vec3<S>(d.subtree_com[b] - d.subtree_com[m.body_rootid[k]]));
    return sum;
}

// Of gravity and springs, and of motion: J.
template <class S>
struct Energy {
    S potential, kinetic;
};
template <class M, class D>
auto energies(const M& m, D& d) {
    const auto kept = d.energy;
    energy_pos(m, d);
    energy_vel(m, d);
    const Energy<typename D::scalar> result{d.energy[0], d.energy[1]};
    d.energy = kept;
    return result;
}

// The rate of an inertia that moves: d/dt of Σ m (r² - r rᵀ), Σ m r and Σ m with ṙ = u + ω × r.
template <class S>
Inertia<S> inertia_rate(const Inertia<S>& i, const Vec6<S>& v) {
    const Vec3<S> w = angular(v), u = linear(v), mc{{i[6], i[7], i[8]}}, moved = u * i[9] + cross(w, mc);
    const Mat3<S> rotational{{i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]}};
    Mat3<S> half;  // its symmetric part, twice, is the rate
    for (int c = 0; c < 3; ++c) half.set_column(c, Vec3<S>(cross(w, rotational.column(c)) - u * mc[c]));
    const S trace = dot(mc, u) * value_t<S>(2);
    const auto entry = [&](int r, int c) { return half(r, c) + half(c, r); };
    return {{entry(0, 0) + trace, entry(1, 1) + trace, entry(2, 2) + trace, entry(0, 1), entry(0, 2), entry(1, 2), moved[0], moved[1],
             moved[2], S(0)}};
}

// How cdof of dof i changes: with the velocity before its joint, and the rotations of a ball or free joint with the body.
template <class M, class D>
auto axis_rate(const M& m, const D& d, int i) {
    using S = typename D::scalar;
    const int j = m.dof_jntid[i], first = m.jnt_dofadr[j] + M::joints::rotation(m.jnt_type[j]);
    if (!M::joints::turns_with_body(m.jnt_type[j], i - m.jnt_dofadr[j])) return d.cdof_dot[i];
    Vec6<S> own = Vec6<S>::zero();
    for (int k = first; k < first + 3; ++k) own += d.cdof[k] * d.qvel[k];
    return Vec6<S>(d.cdof_dot[i] + cross_motion(own, d.cdof[i]));
}

// A subtree as one body: the rate of its inertia, and its momentum; about the com of its tree.
template <class S>
struct MovingSubtree {
    Inertia<S> rate;
    Vec6<S> momentum;
};
template <class M, class D>
auto moving_subtree(const M& m, const D& d, int b) {
    using S = typename D::scalar;
    MovingSubtree<S> sum{Inertia<S>::zero(), Vec6<S>::zero()};
    const int end = subtree_end(m, b);
    for (int k = b; k < end; ++k) {
        sum.rate += inertia_rate(d.cinert[k], d.cvel[k]);
        sum.momentum += d.cinert[k] * d.cvel[k];
    }
    return sum;
}

// The rate of the centroidal momentum matrix. The point it is about moves with the centre of mass.
template <class M, class D, class J>
void centroidal_momentum_rate(const M& m, const D& d, int b, J& out) {
    using S = typename D::scalar;
    clear_matrix(out, 6, m.nv);
    const Vec3<S> com_velocity = velocity(m, d, com(b));
    int known = -1;
    MovingSubtree<S> moving{};
    for_each_moved_part(m, b, [&](int i, int part) {
        if (part != known) moving = moving_subtree(m, d, part);
        known = part;
        const Vec3<S> away = d.subtree_com[b] - d.subtree_com[m.body_rootid[part]];
        const Vec6<S> rate = d.crb[part] * axis_rate(m, d, i) + moving.rate * d.cdof[i];
        Vec6<S> column = momentum_about(rate, away);
        const Vec3<S> carried = cross(com_velocity, linear(Vec6<S>(d.crb[part] * d.cdof[i])));
        for (int r = 0; r < 3; ++r) column[r] -= carried[r];
        for (int r = 0; r < 6; ++r) out(r, i) = column[r];
    });
}

}  // namespace mjx::inner
