// How a contact moves when its geoms do: the derivatives of its distance, point and frame by the twists of the two bodies.
//
// Reads   geom_xpos, geom_xmat, subtree_com
// The narrow phase of the pair runs once more for each body that moves, on duals whose six derivatives are the body's twist (world axes,
// rotation first, about the com of its tree). So every pair of shapes moves as it does in a step on duals (moving_contact.hpp). A frame
// stays orthonormal: it moves by a rotation vector, e_r' = θ × e_r. It is not carried along with the bodies: its tangents follow the
// world's axes (contact_frame).
#pragma once

#include "mjx/collision/narrowphase.hpp"
#include "mjx/collision/parameters.hpp"
#include "mjx/scalar/dual.hpp"

namespace mjx::inner {

// By the six components of a twist.
template <class S>
struct ContactMotion {
    Vec6<S> dist;
    Vec6<S> point[3];
    Vec6<S> turn[3];

    static ContactMotion zero() {
        const Vec6<S> none = Vec6<S>::zero();
        return {none, {none, none, none}, {none, none, none}};
    }
};

// The poses of two geoms as the narrow phase looks for them in a Data, those of the body that moves with derivatives.
template <class S>
struct MovingGeoms {
    using scalar = dual<S, 6>;
    struct Positions {
        Vec3<scalar> of[2];
        int geom1;
        const Vec3<scalar>& operator[](int g) const { return of[g == geom1 ? 0 : 1]; }
    } geom_xpos;
    struct Frames {
        Mat3<scalar> of[2];
        int geom1;
        const Mat3<scalar>& operator[](int g) const { return of[g == geom1 ? 0 : 1]; }
    } geom_xmat;

    // Geom g as number `which`; it moves with the twist if it `moves`, about `centre`.
    template <class D>
    void place(const D& d, int which, int g, bool moves, const Vec3<S>& centre) {
        const Vec3<S> arm = d.geom_xpos[g] - centre;
        auto& pos = geom_xpos.of[which];
        auto& mat = geom_xmat.of[which];
        for (int k = 0; k < 3; ++k) pos[k] = scalar(d.geom_xpos[g][k]);
        for (int k = 0; k < 9; ++k) mat[k] = scalar(d.geom_xmat[g][k]);
        if (!moves) return;
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;  // the unit vector along a times x: x_b along c, -x_c along b
            pos[a].partial[3 + a] = S(1);
            pos[c].partial[a] = arm[b];
            pos[b].partial[a] = -arm[c];
            for (int k = 0; k < 3; ++k) {
                mat(c, k).partial[a] = d.geom_xmat[g](b, k);
                mat(b, k).partial[a] = -d.geom_xmat[g](c, k);
            }
        }
    }
};

// f(k, motion) for each point k of a pair that is a contact in some lane, in the order in which collision() lists them, as the body of geom
// `which` (0 or 1) moves.
template <class M, class D, class F>
void for_each_contact_motion(const M& m, const D& d, int geom1, int geom2, int pair, int which, F&& f) {
    using S = typename D::scalar;
    using L = dual<S, 6>;
    MovingGeoms<S> geoms;
    geoms.geom_xpos.geom1 = geoms.geom_xmat.geom1 = geom1;
    const int body = m.geom_bodyid[which == 0 ? geom1 : geom2];
    const Vec3<S> centre = d.subtree_com[m.body_rootid[body]];
    geoms.place(d, 0, geom1, m.geom_bodyid[geom1] == body, centre);
    geoms.place(d, 1, geom2, m.geom_bodyid[geom2] == body, centre);
    const L margin = L(S(contact_margin(m, geom1, geom2, pair) + contact_gap(m, geom1, geom2, pair)));
    CollisionResult<L> result;
    collide<false>(m, geoms, geom1, geom2, margin, mask_t<S>(true), result);
    for (int i = 0, k = 0; i < result.count; ++i) {
        const ContactPoint<L>& p = result.point[i];
        if (!any(p.active)) continue;
        const Mat3<L> frame = result.has_tangent ? contact_frame(p.normal, result.tangent) : contact_frame(p.normal);
        ContactMotion<S> motion;
        for (int a = 0; a < 6; ++a) {
            motion.dist[a] = p.dist.partial[a];
            for (int r = 0; r < 3; ++r) motion.point[r][a] = p.pos[r].partial[a];
            // θ · e_r = e_{r+1}' · e_{r+2}; then in world axes
            Vec3<S> theta = Vec3<S>::zero();
            for (int r = 0; r < 3; ++r) {
                const int next = (r + 1) % 3, after = (r + 2) % 3;
                S along(0);
                for (int c = 0; c < 3; ++c) along += frame(next, c).partial[a] * frame(after, c).value;
                for (int c = 0; c < 3; ++c) theta[c] += along * frame(r, c).value;
            }
            for (int r = 0; r < 3; ++r) motion.turn[r][a] = theta[r];
        }
        f(k++, motion);
    }
}

}  // namespace mjx::inner
