// Tendons: length and Jacobian of fixed tendons (a weighted sum of joints) and spatial ones (a path over sites, geoms, pulleys).
//
// Reads   qpos, site_xpos, geom_xpos, geom_xmat, cdof, subtree_com; qvel
// Writes  ten_length, ten_J, ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos; ten_velocity
// A straight piece between points fixed in two bodies has length |p1 - p0|, so its Jacobian is the unit vector along it applied
// at p1 and, reversed, at p0: on one line, so that the bodies feel one wrench and dofs that move both feel nothing. Pieces behind a pulley
// count divided by its divisor. The arc around a geom moves with the geom and adds nothing to the Jacobian: the path is shortest
// there (MuJoCo, computation chapter, "Tendon length").
// The path of a pack has the touching points that any lane has; a lane that passes straight has both at the next site.
#pragma once

#include "mjx/data/work.hpp"
#include "mjx/model/tendon_path.hpp"
#include "mjx/stage/row.hpp"
#include "mjx/stage/wrap.hpp"

namespace mjx::inner {

template <class M, class D>
auto tendon_row(const M& m, D& d, int t) {
    return Row{d.ten_J, m.ten_J_colind, m.ten_J_rowadr[t], m.ten_J_rownnz[t]};
}

template <class S>
Vec3<lane_t<S>> lane_of(const Vec3<S>& v, int k) {
    return {{lane(v[0], k), lane(v[1], k), lane(v[2], k)}};
}

// WrapResult with a mask for each lane that wraps.
template <class S>
struct WrapLanes {
    mask_t<S> wrapped;
    S length;
    Vec3<S> first, second;
};

// The way from site s0 around geom g to site s1. Lanes are wrapped one by one.
template <class M, class D>
auto wrap_between(const M& m, const D& d, int s0, int s1, int g, int type, int side) {
    using S = typename D::scalar;
    using T = lane_t<S>;
    WrapLanes<S> r{mask_t<S>(false), S(0), d.site_xpos[s1], d.site_xpos[s1]};
    for (int k = 0; k < lanes_v<S>; ++k) {
        Mat3<T> xmat;
        for (int e = 0; e < 9; ++e) xmat[e] = lane(d.geom_xmat[g][e], k);
        const Vec3<T> side_point = side >= 0 ? lane_of(d.site_xpos[side], k) : Vec3<T>::zero();
        const auto one = wrap_geom(lane_of(d.site_xpos[s0], k), lane_of(d.site_xpos[s1], k), lane_of(d.geom_xpos[g], k), xmat,
                                   T(lane(S(m.geom_size[g][0]), k)), type, side >= 0 ? &side_point : nullptr);
        set_lane(r.wrapped, k, one.wrapped);
        set_lane(r.length, k, one.length);
        for (int e = 0; e < 3; ++e) {
            set_lane(r.first[e], k, one.first[e]);
            set_lane(r.second[e], k, one.second[e]);
        }
    }
    return r;
}

// The Jacobian of one tendon over all dofs, zero between tendons: a dof's place needs no search.
template <class S, class M>
struct TendonWork {
    WorkPlace<M>* at;
    WorkArray<S, Dim::nv, S, M> column{at};
};

// The piece p0-p1 between two bodies: adds weight times its Jacobian to the columns, returns its length. The dofs of each body are walked
// from the last up to those that they share.
template <class M, class D, class X, class S>
S add_piece(const M& m, const D& d, X& column, int body0, int body1, const Vec3<S>& p0, const Vec3<S>& p1, const S& weight) {
    if (body0 == body1) return norm(Vec3<S>(p1 - p0));
    S length;
    const Vec3<S> along = normalize(Vec3<S>(p1 - p0), length) * weight;
    const int root0 = m.body_rootid[body0], root1 = m.body_rootid[body1];
    const Vec6<S> wrench1 = spatial(cross(Vec3<S>(p1 - d.subtree_com[root1]), along), along);
    const Vec6<S> wrench0 = root0 == root1 ? wrench1 : spatial(cross(Vec3<S>(p0 - d.subtree_com[root0]), along), along);
    int left0 = m.B_rownnz[body0], left1 = m.B_rownnz[body1];
    for (;;) {
        const int dof0 = left0 > 0 ? m.B_colind[m.B_rowadr[body0] + left0 - 1] : -1;
        const int dof1 = left1 > 0 ? m.B_colind[m.B_rowadr[body1] + left1 - 1] : -1;
        if (dof0 == dof1) return length;
        if (dof1 > dof0) {
            column[dof1] += dot(d.cdof[dof1], wrench1);
            --left1;
        } else {
            column[dof0] -= dot(d.cdof[dof0], wrench0);
            --left0;
        }
    }
}

template <class D, class S>
void add_path_point(D& d, int& count, int object, const Vec3<S>& point) {
    d.wrap_obj[count] = object;
    d.wrap_xpos[count] = point;
    ++count;
}

// From site to site, straight or around a geom (g >= 0).
template <class M, class D, class S>
void add_stretch(const M& m, D& d, int t, int s0, int s1, int g, int type, int side, const S& weight, int& points) {
    auto& column = work<TendonWork>(d).column;
    const int body0 = m.site_bodyid[s0], body1 = m.site_bodyid[s1];
    const Vec3<S> p0 = d.site_xpos[s0], p1 = d.site_xpos[s1];
    add_path_point(d, points, -1, p0);
    mask_t<S> straight(true);
    if (g >= 0) {
        const auto w = wrap_between(m, d, s0, s1, g, type, side);
        straight = !w.wrapped;
        if (any(w.wrapped)) {
            const int body = m.geom_bodyid[g];
            const S share = select(w.wrapped, weight, S(0));
            const S before = add_piece(m, d, column, body0, body, p0, w.first, share);
            const S after = add_piece(m, d, column, body, body1, w.second, p1, share);
            d.ten_length[t] += (before + w.length + after) * share;
            add_path_point(d, points, g, w.first);
            add_path_point(d, points, g, w.second);
        }
    }
    if (any(straight)) {
        const S share = select(straight, weight, S(0));
        d.ten_length[t] += add_piece(m, d, column, body0, body1, p0, p1, share) * share;
    }
}

// f(s0, s1, geom, type, side, divisor) for each stretch between sites, pulley() at each pulley, last(site) where a strand ends.
template <class M, class F, class P, class L>
void for_each_stretch(const M& m, int t, F&& stretch, P&& pulley, L&& last) {
    using Real = typename M::real;
    const int first = m.tendon_adr[t], end = first + m.tendon_num[t];
    Real divisor(1);
    for (int j = first; j < end - 1;) {
        if (m.wrap_type[j] == wrap::pulley || m.wrap_type[j + 1] == wrap::pulley) {
            if (m.wrap_type[j] == wrap::pulley) {
                divisor = m.wrap_prm[j];
                pulley();
            }
            ++j;
            continue;
        }
        const int type = m.wrap_type[j + 1];
        const bool around = wraps_around(type);
        const int next = j + (around ? 2 : 1);
        const int side = around ? static_cast<int>(value_of(lane(m.wrap_prm[j + 1], 0))) : -1;
        stretch(m.wrap_objid[j], m.wrap_objid[next], around ? m.wrap_objid[j + 1] : -1, type, side, divisor);
        j = next;
        if (j == end - 1 || m.wrap_type[j + 1] == wrap::pulley) last(m.wrap_objid[j]);
    }
}

// The columns so far become the tendon's row.
template <class M, class D>
void finish_tendon_row(const M& m, D& d, int t) {
    using S = typename D::scalar;
    auto& column = work<TendonWork>(d).column;
    const auto row = tendon_row(m, d, t);
    for (int k = row.first; k < row.first + row.count; ++k) {
        row.values[k] = column[row.columns[k]];
        column[row.columns[k]] = S(0);
    }
}

template <class M, class D>
void tendon(const M& m, D& d) {
    using S = typename D::scalar;
    if (m.ntendon == 0) return;
    const auto w = borrow<TendonWork>(m, d);
    for (int i = 0; i < m.nv; ++i) w->column[i] = S(0);
    int points = 0;
    for (int t = 0; t < m.ntendon; ++t) {
        d.ten_length[t] = S(0);
        d.ten_wrapadr[t] = points;
        const int first = m.tendon_adr[t];
        if (m.wrap_type[first] == wrap::joint) {
            for (int k = first; k < first + m.tendon_num[t]; ++k) {
                const int j = m.wrap_objid[k];
                d.ten_length[t] += d.qpos[m.jnt_qposadr[j]] * m.wrap_prm[k];
                w->column[m.jnt_dofadr[j]] += m.wrap_prm[k];
            }
        } else {
            for_each_stretch(
                m, t,
                [&](int s0, int s1, int g, int type, int side, const auto& divisor) {
                    add_stretch(m, d, t, s0, s1, g, type, side, S(S(1) / divisor), points);
                },
                [&] { add_path_point(d, points, -2, Vec3<S>::zero()); },
                [&](int site) { add_path_point(d, points, -1, d.site_xpos[site]); });
        }
        finish_tendon_row(m, d, t);
        d.ten_wrapnum[t] = points - d.ten_wrapadr[t];
    }
}

template <class M, class D>
void tendon_velocity(const M& m, D& d) {
    for (int t = 0; t < m.ntendon; ++t) d.ten_velocity[t] = row_times(tendon_row(m, d, t), d.qvel);
}

}  // namespace mjx::inner
