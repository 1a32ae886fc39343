// A state on duals, and the stages of position and velocity that follow from it.
//
// Reads   the state of d
// Writes  the state of x, its poses, tendons, transmissions and their velocities, with partials by the columns first ... last - 1
// What derivatives need that have no closed form: rows that bend, systems of implicit integrators, costs.
#pragma once

#include "mjx/derivative/columns.hpp"
#include "mjx/integrator/work_space.hpp"
#include "mjx/stage/com.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/tendon.hpp"
#include "mjx/stage/transmission.hpp"
#include "mjx/stage/velocity.hpp"

namespace mjx::inner {

// `moved` is false where x has the poses of this position already, without partials.
template <class M, class X, class D>
void vary_stages(const M& m, X& x, const D& d, int first, int last, bool moved = true) {
    vary_state(m, x, d, first, last);
    if (moved) {
        kinematics(m, x);
        com_pos(m, x);
        tendon(m, x);
        transmission(m, x);
    }
    tendon_velocity(m, x);
    actuator_velocity(m, x);
    com_vel(m, x);
}

}  // namespace mjx::inner
