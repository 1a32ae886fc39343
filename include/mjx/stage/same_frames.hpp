// Shortcuts of the kinematics that follow from the model's numbers: frames that coincide, bodies that are not turned, joints at origins;
// and dofs that the inertia matrix does not couple.
//
// Writes  body_sameframe, geom_sameframe, site_sameframe, body_turned, jnt_offset, dof_alone (of the model)
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

// The axis of the body along which a joint's axis lies, -1 if that is none.
template <class M>
int body_axis(const M& m, int j) {
    int axis = -1, others = 0;
    for (int k = 0; k < 3; ++k) {
        if (negligible(m.jnt_axis[j][k])) continue;
        axis = k;
        ++others;
    }
    return others == 1 ? axis : -1;
}

// What the diagonal of M has of dof k of joint j (Model::dof_alone) where the joint moves a body about its centre of mass, with the
// principal axes in its frame. `taken` are axes of translations before it, as bits. 0: the joint couples.
template <class M>
int alone_along(const M& m, int j, int k, unsigned taken) {
    constexpr int mass = 4;
    const int type = m.jnt_type[j];
    if (!M::joints::decoupled(type) || m.jnt_offset[j]) return 0;
    if (M::joints::turns_with_body(type, k)) return k - M::joints::rotation(type) + 1;
    if (M::joints::floats(type)) return mass;
    if (!M::joints::is_scalar(type)) return 0;
    const int axis = body_axis(m, j);
    if (axis < 0) return 0;
    return M::joints::turns(type) ? axis + 1 : taken >> axis & 1u ? 0 : mass;
}

// A body that stands alone on what does not move, with its principal axes in its frame, has a diagonal M: translations along different
// axes, before the one rotation that there may be about its centre of mass. Those of a floating body are in the world's frame.
template <class M>
void mark_lone_dofs(M& m, int b) {
    const int first = m.body_dofadr[b], count = m.body_dofnum[b];
    for (int i = first; i < first + count; ++i) m.dof_alone[i] = 0;
    const bool leaf = b + 1 == m.nbody || m.body_parentid[b + 1] != b;
    if (count == 0 || !leaf || m.dof_parentid[first] >= 0 || m.body_sameframe[b] != sameframe::body) return;
    bool alone = true, turned = false;
    unsigned taken = 0;
    for (int i = first; i < first + count; ++i) {
        const int j = m.dof_jntid[i], k = i - m.jnt_dofadr[j];
        const bool floats = M::joints::floats(m.jnt_type[j]), turns = M::joints::turns(m.jnt_type[j]);
        m.dof_alone[i] = alone_along(m, j, k, taken);
        alone = alone && m.dof_alone[i] != 0 && (k > 0 || !turned) && (!floats || count == 6);
        turned = turned || turns;
        if (!floats && !turns && alone) taken |= 1u << body_axis(m, j);
    }
    for (int i = first; i < first + count && !alone; ++i) m.dof_alone[i] = 0;
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
    for (int b = 0; b < m.nbody; ++b) mark_lone_dofs(m, b);
    for (int g = 0; g < m.ngeom; ++g) m.geom_sameframe[g] = same_frame(m, m.geom_bodyid[g], m.geom_pos[g], m.geom_quat[g], true);
    for (int s = 0; s < m.nsite; ++s) m.site_sameframe[s] = same_frame(m, m.site_bodyid[s], m.site_pos[s], m.site_quat[s], true);
}

// Whether dof i is coupled to no other in M: it has its diagonal alone, a mass or a moment of inertia. Tendons with inertia may couple it.
template <class M>
constexpr bool stands_alone(const M& m, int i) {
    return m.dof_alone[i] != 0;
}

}  // namespace mjx::inner
