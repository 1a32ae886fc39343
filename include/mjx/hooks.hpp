// Hooks: the user's own physics, given to Simulator as a template parameter. MuJoCo's callbacks without globals or pointers.
//
// A hooks type has any of the members below, written for a generic model and data; one that is absent costs nothing, and one that
// cannot be called so is a compile error (stage/hooks.hpp):
//     void control(const M& m, D& d) const;                    writes d.ctrl, between the velocity and the actuation stage
//     void passive(const M& m, D& d) const;                    adds to d.qfrc_passive
//     S act_dyn(const M& m, D& d, int i) const;                act_dot of the last activation of actuator i of type dyn::user;
//                                                              it writes those of any others itself
//     S act_gain(const M& m, const D& d, int i) const;         gain of actuator i of type gain::user
//     S act_bias(const M& m, const D& d, int i) const;         bias of actuator i of type bias::user
//     void sensor(const M& m, D& d, int at) const;             writes d.sensordata of the user sensors with that sensor_needstage (needs::)
//     bool contact_filter(const M& m, const D& d, int geom1, int geom2) const;    decides in place of the geoms' contype and
//                                                              conaffinity, in every step: true drops the pair. Geoms without
//                                                              either, bodies none of whose geoms could touch by them, excluded
//                                                              bodies and explicit pairs are not asked about. It may return a
//                                                              mask of lanes.
//                                                              Give the model room for the contacts it adds (size: nconmax, njmax)
// They are called on a const object, so that the step runs inside a kernel; what a hook remembers belongs in d.userdata.
// A hook may throw, where the step is no kernel: the step ends there, and the Simulator can be used on. RK4 may then have left the state
// of one of its stages: a State taken before brings back what was.
#pragma once

#include "mjx/stage/hooks.hpp"

namespace mjx {

using inner::no_hooks;

}  // namespace mjx
