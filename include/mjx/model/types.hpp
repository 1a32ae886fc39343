// Enumerations of the model, with MuJoCo's names and numbers. They are plain ints in tables, so fixed models stay literal.
#pragma once

#include "mjx/scalar/language.hpp"

namespace mjx::inner {

// Laid out by hand: enumerations in as few lines as they need.
// clang-format off
// A joint of a program's own has a number from `user` on.
namespace jnt { enum : int { free, ball, slide, hinge, planar, user = 100 }; }

namespace shape { enum : int { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf, count }; }

namespace integrator_type { enum : int { euler, rk4, implicit, implicitfast, discrete, implicit_spring_damper }; }
namespace cone { enum : int { pyramidal, elliptic }; }
namespace jacobian_type { enum : int { dense, sparse, automatic }; }
namespace solver_type { enum : int { pgs, cg, newton, cached_pgs, penalty }; }

// Their words in files and messages. The first are MuJoCo's; then come those that mjx alone has.
inline constexpr const char* integrator_names[] = {"Euler", "RK4", "implicit", "implicitfast", "discrete", "implicit_spring_damper"};
inline constexpr const char* solver_names[] = {"PGS", "CG", "Newton", "CachedPGS", "Penalty"};
inline constexpr const char* cone_names[] = {"pyramidal", "elliptic"};
// Of these three, which the author of a model chose.
namespace choice { enum : int { integrator = 1 << 0, solver = 1 << 1, cone = 1 << 2 }; }

namespace disable {
enum : int {
    constraint = 1 << 0, equality = 1 << 1, frictionloss = 1 << 2, limit = 1 << 3, contact = 1 << 4, spring = 1 << 5,
    damper = 1 << 6, gravity = 1 << 7, clampctrl = 1 << 8, warmstart = 1 << 9, filterparent = 1 << 10, actuation = 1 << 11,
    refsafe = 1 << 12, sensor = 1 << 13, midphase = 1 << 14, eulerdamp = 1 << 15, autoreset = 1 << 16, nativeccd = 1 << 17,
    island = 1 << 18, multiccd = 1 << 19
};
}
namespace enable {
enum : int { override_contact = 1 << 0, energy = 1 << 1, fwdinv = 1 << 2, invdiscrete = 1 << 3, sleep = 1 << 4, diagexact = 1 << 5 };
}

namespace wrap { enum : int { none, joint, pulley, site, sphere, cylinder }; }
namespace ctrl_input { enum : int { pos = 1, vel = 2, ff = 4, voltage = 8, none = 16 }; }
namespace ctrl_chart { enum : int { expmap = 1, quat = 2 }; }

namespace obj {
enum : int {
    unknown, body, xbody, joint, dof, geom, site, camera, light, flex, mesh, skin, hfield, texture, material, pair, exclude,
    equality, tendon, actuator, sensor, numeric, text, tuple, key, plugin
};
}

// A frame that coincides with its body's, or shares its orientation; likewise for the body's principal axes.
namespace sameframe { enum : int { none, body, inertia, bodyrot, inertiarot }; }

// A geom is a solid of some density, unless it is a shell, or its mass is given and keeps whatever its size.
namespace massrule { enum : int { solid = 0, shell = 1, given = 2 }; }

namespace camlight { enum : int { fixed, track, trackcom, targetbody, targetbodycom }; }
namespace sleep_policy { enum : int { automatic, auto_never, auto_allowed, never, allowed, init }; }

namespace cnstr {
enum : int {
    equality, friction_dof, friction_tendon, limit_joint, limit_tendon, contact_frictionless, contact_pyramidal, contact_elliptic
};
}

// Trouble that the pipeline counts per environment instead of stopping.
namespace warning { enum : int { inertia, contactfull, cnstrfull, badqpos, badqvel, badqacc, badctrl, badact, count }; }
// clang-format on

inline constexpr int neqdata = 11, ndyn = 10, ngain = 10, nbias = 10, nfluid = 12, nref = 2, nimp = 5, npoly = 2, nsens = 3;

// Whether the rows of a table of kinds stand in the order of their numbers.
template <class Kind, int N>
constexpr bool in_order(const Kind (&kinds)[N]) {
    for (int k = 0; k < N; ++k)
        if (kinds[k].type != k) return false;
    return true;
}

}  // namespace mjx::inner
