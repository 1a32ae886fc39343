// Derivatives of moving a configuration along a velocity, q ⊕ h v; those of orientations are in math/quat_derivative.hpp.
#pragma once

#include "mjx/integrator/advance.hpp"
#include "mjx/math/quat_derivative.hpp"

namespace mjx::inner {

// The change of the configuration q ⊕ h v (integrate_position), in its tangent space, when q changes by dq in its own and v by dv. All are
// of length nv; q itself does not matter.
template <class M, class V, class H, class A, class B, class Out>
void integrate_position_derivative(const M& m, const V& qvel, const H& h, const A& dq, const B& dv, Out& changed) {
    for (int i = 0; i < m.nv; ++i) changed[i] = dq[i] + dv[i] * h;
    for (int j = 0; j < m.njnt; ++j) {
        const int rotation = M::joints::rotation(m.jnt_type[j]), dof = m.jnt_dofadr[j] + rotation;
        if (rotation < 0) continue;
        const auto by = quat_integrate_derivative(vec3_at(qvel, dof), h);
        store(changed, dof, by.Dquat * vec3_at(dq, dof) + by.Dvel * (vec3_at(dv, dof) * h));
    }
}

}  // namespace mjx::inner
