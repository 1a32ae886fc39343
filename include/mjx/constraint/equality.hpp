// Rows of equality constraints: connect, weld, joint and tendon polynomials, distance between two geoms.
//
// Reads   eq_active, xpos, xquat, xmat, site_xpos, geom_xpos, qpos, ten_length, ten_J, cdof
// Writes  blocks of type cnstr::equality: efc_pos (the residual), efc_J, efc_diagA
// World axes, body 1 minus body 2. A weld's rotation error is the vector part of conj(q2) q1 relpose times torquescale.
#pragma once

#include "mjx/constraint/block.hpp"
#include "mjx/constraint/jacobian.hpp"
#include "mjx/model/equality_kinds.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/stage/weld.hpp"

namespace mjx::inner {

// The two points an equality constraint holds together, and the bodies they move with.
template <class S>
struct Anchors {
    Vec3<S> point1, point2;
    int body1, body2;
};

template <class M, class D>
auto equality_anchors(const M& m, const D& d, int e) {
    using S = typename D::scalar;
    Anchors<S> a;
    const int obj1 = m.eq_obj1id[e], obj2 = m.eq_obj2id[e];
    const auto bodies = equality_bodies(m, e);
    a.body1 = bodies[0];
    a.body2 = bodies[1];
    if (ties_distance(m.eq_type[e])) {
        a.point1 = d.geom_xpos[obj1];
        a.point2 = d.geom_xpos[obj2];
    } else if (m.eq_objtype[e] == obj::site) {
        a.point1 = d.site_xpos[obj1];
        a.point2 = d.site_xpos[obj2];
    } else {
        // eq_data of a weld holds the anchor in body 2 first
        const int first = ties_rotations(m.eq_type[e]) ? 3 : 0;
        a.point1 = d.xpos[obj1] + d.xmat[obj1] * vec3_at(m.eq_data[e], first);
        a.point2 = d.xpos[obj2] + d.xmat[obj2] * vec3_at(m.eq_data[e], 3 - first);
    }
    return a;
}

// The inverse inertia that row r of a constraint sees, by that of bodies, dofs or tendons at rest.
template <class S, class M>
S equality_diagonal(const M& m, int e, int r) {
    const int type = m.eq_type[e], obj1 = m.eq_obj1id[e], obj2 = m.eq_obj2id[e];
    if (ties_frames(type) || ties_distance(type)) {
        const auto bodies = equality_bodies(m, e);
        return S(m.body_invweight0[bodies[0]][r / 3] + m.body_invweight0[bodies[1]][r / 3]);
    }
    const auto weight = [&](int object) {
        return ties_tendons(type) ? m.tendon_invweight0[object] : m.dof_invweight0[m.jnt_dofadr[object]];
    };
    return obj2 >= 0 ? S(weight(obj1) + weight(obj2)) : S(weight(obj1));
}

template <class M, class D>
void add_connect_or_weld(const M& m, D& d, int e) {
    using S = typename D::scalar;
    const bool weld = ties_rotations(m.eq_type[e]);
    const Anchors<S> a = equality_anchors(m, d, e);
    const ChainPair chains = chain_pair(m, a.body1, a.body2);
    const int nnz = chains.n1 + chains.n2 - chains.common;
    if (nnz == 0) return;
    const int b = add_block(m, d, cnstr::equality, e, equality_kinds[m.eq_type[e]].rows, nnz, mask_t<S>(true));
    if (b < 0) return;
    const int row = d.block_row[b], adr = d.block_J[b];
    const Vec3<S> error = a.point1 - a.point2;
    for (int k = 0; k < 3; ++k) d.efc_pos[row + k] = error[k];
    WeldFrames<S> frames{Quat<S>::identity(), Quat<S>::identity()};
    const S half_scale = weld ? S(m.eq_data[e][10] * 0.5) : S(0);
    if (weld) {
        frames = weld_frames(m, d, e, a.body1, a.body2);
        frames.second = conjugate(frames.second);
        const Quat<S> turn = frames.second * frames.first;
        for (int k = 0; k < 3; ++k) d.efc_pos[row + 3 + k] = turn[k + 1] * m.eq_data[e][10];
    }
    for_each_difference_column(m, d, a.body1, a.body2, a.point1, a.point2, chains, true,
                               [&](int k, int dof, const Vec3<S>& move, const Vec3<S>& turn) {
                                   d.efc_J_colind[adr + k] = dof;
                                   for (int r = 0; r < 3; ++r) d.efc_J[adr + r * nnz + k] = move[r];
                                   if (!weld) return;
                                   const Vec3<S> column = sandwich(frames.second, turn, frames.first) * half_scale;
                                   for (int r = 0; r < 3; ++r) d.efc_J[adr + (3 + r) * nnz + k] = column[r];
                               });
    if (drop_zero_block(m, d, b)) return;
    for (int r = 0; r < d.block_dim[b]; ++r) d.efc_diagA[row + r] = equality_diagonal<S>(m, e, r);
}

// |p1 - p2| = data[0]: an extension of MuJoCo's set.
template <class M, class D>
void add_distance(const M& m, D& d, int e) {
    using S = typename D::scalar;
    const Anchors<S> a = equality_anchors(m, d, e);
    const ChainPair chains = chain_pair(m, a.body1, a.body2);
    const int nnz = chains.n1 + chains.n2 - chains.common;
    if (nnz == 0) return;
    const int b = add_block(m, d, cnstr::equality, e, 1, nnz, mask_t<S>(true));
    if (b < 0) return;
    const int row = d.block_row[b], adr = d.block_J[b];
    S length;
    const Vec3<S> direction = normalize(Vec3<S>(a.point1 - a.point2), length);
    d.efc_pos[row] = length - m.eq_data[e][0];
    d.efc_diagA[row] = equality_diagonal<S>(m, e, 0);
    for_each_difference_column(m, d, a.body1, a.body2, a.point1, a.point2, chains, true,
                               [&](int k, int dof, const Vec3<S>& move, const Vec3<S>&) {
                                   d.efc_J_colind[adr + k] = dof;
                                   d.efc_J[adr + k] = dot(direction, move);
                               });
    drop_zero_block(m, d, b);
}

// One of the two scalars a polynomial couples: its value, its value at rest, and where its Jacobian is.
template <class S>
struct Coupled {
    S value;
    int adr, nnz, dof;
    bool tendon;
};

template <class M, class D>
auto coupled(const M& m, const D& d, int e, int object) {
    using S = typename D::scalar;
    Coupled<S> c{S(0), 0, 0, -1, ties_tendons(m.eq_type[e])};
    if (object < 0) return c;
    if (c.tendon) {
        c.value = d.ten_length[object] - m.tendon_length0[object];
        c.adr = m.ten_J_rowadr[object];
        c.nnz = m.ten_J_rownnz[object];
    } else {
        const int q = m.jnt_qposadr[object];
        c.value = d.qpos[q] - m.qpos0[q];
        c.dof = m.jnt_dofadr[object];
        c.nnz = 1;
    }
    return c;
}
template <class M, class S>
int coupled_dof(const M& m, const Coupled<S>& c, int k) {
    return c.tendon ? m.ten_J_colind[c.adr + k] : c.dof;
}

// y - y0 = data[0] + data[1] x + ... + data[4] x⁴ with x measured from its rest.
template <class M, class D>
void add_polynomial(const M& m, D& d, int e) {
    using S = typename D::scalar;
    const int obj1 = m.eq_obj1id[e], obj2 = m.eq_obj2id[e];
    const auto y = coupled(m, d, e, obj1), x = coupled(m, d, e, obj2);
    const auto& data = m.eq_data[e];
    const S polynomial = data[0] + x.value * (data[1] + x.value * (data[2] + x.value * (data[3] + x.value * data[4])));
    const S slope = data[1] + x.value * (data[2] * 2 + x.value * (data[3] * 3 + x.value * (data[4] * 4)));
    if (y.nnz + x.nnz == 0) return;
    // room for both lists; dofs in both are merged below
    int shared = 0;
    for (int i = 0; i < y.nnz; ++i)
        for (int j = 0; j < x.nnz; ++j) shared += coupled_dof(m, y, i) == coupled_dof(m, x, j);
    const int b = add_block(m, d, cnstr::equality, e, 1, y.nnz + x.nnz - shared, mask_t<S>(true));
    if (b < 0) return;
    const int row = d.block_row[b], adr = d.block_J[b];
    d.efc_pos[row] = y.value - (obj2 >= 0 ? polynomial : S(data[0]));
    for (int k = 0, i = 0, j = 0; i < y.nnz || j < x.nnz; ++k) {
        const int dof1 = i < y.nnz ? coupled_dof(m, y, i) : m.nv, dof2 = j < x.nnz ? coupled_dof(m, x, j) : m.nv;
        S value(0);
        if (dof1 <= dof2) {
            value += y.tendon ? d.ten_J[y.adr + i] : S(1);
            ++i;
        }
        if (dof2 <= dof1) {
            value -= slope * (x.tendon ? d.ten_J[x.adr + j] : S(1));
            ++j;
        }
        d.efc_J_colind[adr + k] = dof1 < dof2 ? dof1 : dof2;
        d.efc_J[adr + k] = value;
    }
    if (drop_zero_block(m, d, b)) return;
    d.efc_diagA[row] = equality_diagonal<S>(m, e, 0);
}

template <class M, class D>
void add_equality_rows(const M& m, D& d) {
    if (m.opt.disabled(disable::equality)) return;
    for (int e = 0; e < m.neq; ++e) {
        if (!d.eq_active[e] || equality_sleeps(m, d, e)) continue;
        if (ties_frames(m.eq_type[e]))
            add_connect_or_weld(m, d, e);
        else if (ties_distance(m.eq_type[e]))
            add_distance(m, d, e);
        else
            add_polynomial(m, d, e);
    }
}

}  // namespace mjx::inner
