// The kinds of joints, sets of them, and joints of one's own.
//
//     using joints = mjx::joint_set<mjx::Hinge, mjx::Slide>;                      // no code for the others is compiled
//     mjx::Model<double, joints> arm = mjx::cast<double, joints>(loaded);         // a joint outside the set is an error that says so
//
// A joint is a struct: all that the library knows about it stands there, and a set may have structs of a program's own. One that has a
// single coordinate derives from ScalarJoint, which brings its integration, spring, limits, armature and actuators; others derive from
// JointDefaults and say these themselves (model/joint/joint.hpp lists all; model/joint/ball.hpp is an example).
//
//     struct Rail : mjx::ScalarJoint {                                            // slides along its axis, at half the coordinate's rate
//         static constexpr int type = mjx::jnt::user;                             // its number in jnt_type: from mjx::jnt::user on
//         static constexpr const char *name = "rail", *cpp_name = "Rail";         // in messages; in headers of fixed models
//
//         template <class M, class D, class S>
//         static void move(const M& m, D& d, int j, mjx::Vec3<S>& xpos, mjx::Quat<S>& xquat) {       // how it moves the body's frame
//             const int q = m.jnt_qposadr[j];
//             xpos += d.xaxis[j] * ((d.qpos[q] - m.qpos0[q]) * 0.5);
//         }
//         template <class M, class D, class S>
//         static void axes(const M& m, D& d, int j, int dof, const mjx::Mat3<S>& xmat, const mjx::Vec3<S>& arm) {
//             d.cdof[dof] = mjx::translation_dof(d.xaxis[j] * S(0.5));            // what a unit of velocity does: rotation, translation
//         }
//     };
//     using own_joints = mjx::joint_set<mjx::Hinge, Rail>;
//     mjx::Model<double, own_joints> model = mjx::compile<own_joints>(spec);      // compile.hpp; in the Spec: {.type = Rail::type, ...}
// With shapes of the program's own (shapes.hpp) as well: auto model = mjx::compile<own_joints, RoundedBox>(spec).
#pragma once

#include "mjx/math.hpp"
#include "mjx/model/joint_set.hpp"

namespace mjx {

using inner::all_joints;
using inner::Ball;
using inner::Free;
using inner::Hinge;
using inner::joint_set;
using inner::JointDefaults;
using inner::Planar;
using inner::rotation_dof;
using inner::ScalarJoint;
using inner::shift_anchor;
using inner::Slide;
using inner::translation_dof;
using inner::turn;

namespace jnt = inner::jnt;

}  // namespace mjx
