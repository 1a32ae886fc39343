// Shortcuts of the kinematics that follow from the model's numbers: frames that coincide, bodies that are not turned, joints at origins.
//
// Writes  body_sameframe, geom_sameframe, site_sameframe, body_turned, jnt_offset (of the model)
// A shortcut leaves terms out, so it is taken only where they are zero in every lane and without derivatives.
#pragma once

#include "mjx/math/quat.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

// Whether a parameter is zero, up to `below`, in all lanes, and none of its derivatives is another number.
template <class R>
bool negligible(const R& x, value_t<R> below = 0) {
    if constexpr (has_derivative<R>) {
        for (const auto& p : x.partial)
            if (!negligible(p)) return false;
        return negligible(x.value, below);
    } else {
        return all(below == 0 ? x == R(0) : abs(x) < R(below));
    }
}

// How a frame fixed in body b relates to the body's own and to its principal axes. Poses that differ by less than MuJoCo's 1e-6
// count as the same, and are then taken to be the same.
template <class M, class R>
int same_frame(const M& m, int b, const Vec3<R>& pos, const Quat<R>& quat, bool against_inertia) {
    const auto near = [](const auto& a, const auto& c, int sign) {
        bool same = true;
        for (int k = 0; k < a.size; ++k) same = same && negligible(R(sign > 0 ? a[k] - c[k] : a[k] + c[k]), static_cast<value_t<R>>(1e-6));
        return same;
    };
    const auto turned_alike = [&](const Quat<R>& other) { return near(quat, other, 1) || near(quat, other, -1); };
    if (turned_alike(Quat<R>::identity())) return near(pos, Vec3<R>::zero(), 1) ? sameframe::body : sameframe::bodyrot;
    if (!against_inertia || !turned_alike(m.body_iquat[b])) return sameframe::none;
    return near(pos, m.body_ipos[b], 1) ? sameframe::inertia : sameframe::inertiarot;
}

template <class M>
void mark_same_frames(M& m) {
    using R = typename M::real;
    for (int b = 0; b < m.nbody; ++b) {
        const Quat<R>& q = m.body_quat[b];
        m.body_turned[b] = !(negligible(R(q[0] - R(1))) && negligible(q[1]) && negligible(q[2]) && negligible(q[3]));
        m.body_sameframe[b] = same_frame(m, b, m.body_ipos[b], m.body_iquat[b], false);
    }
    for (int j = 0; j < m.njnt; ++j) {
        const Vec3<R>& p = m.jnt_pos[j];
        m.jnt_offset[j] = !(negligible(p[0]) && negligible(p[1]) && negligible(p[2]));
    }
    for (int g = 0; g < m.ngeom; ++g) m.geom_sameframe[g] = same_frame(m, m.geom_bodyid[g], m.geom_pos[g], m.geom_quat[g], true);
    for (int s = 0; s < m.nsite; ++s) m.site_sameframe[s] = same_frame(m, m.site_bodyid[s], m.site_pos[s], m.site_quat[s], true);
}

// Whether dof i is one of a floating body that stands alone with its principal axes in its frame. In M such a dof has its diagonal alone, the
// mass or a moment of inertia: translations are in the world's frame, rotations in the body's. Tendons with inertia may couple it.
template <class M>
constexpr bool stands_alone(const M& m, int i) {
    const int b = m.dof_bodyid[i], type = m.jnt_type[m.dof_jntid[i]];
    return M::joints::floats(type) && M::joints::decoupled(type) && m.body_sameframe[b] == sameframe::body &&
           (b + 1 == m.nbody || m.body_parentid[b + 1] != b);
}

}  // namespace mjx::inner
