// Hooks: the user's own physics, given to Simulator as a template parameter. MuJoCo's callbacks without globals or pointers.
//
// A hooks type has any of the members below, written for a generic model and data; one that is absent costs nothing, and one that
// cannot be called so is a compile error (stage/hook_check.hpp):
//     void control(const M& m, D& d) const;                    writes d.ctrl, between the velocity and the actuation stage
//     void passive(const M& m, D& d) const;                    adds to d.qfrc_passive
//     S act_dyn(const M& m, D& d, int i) const;                act_dot of the last activation of actuator i of type dyn::user;
//                                                              it writes those of any others itself
//     S act_gain(const M& m, const D& d, int i) const;         gain of actuator i of type gain::user
//     S act_bias(const M& m, const D& d, int i) const;         bias of actuator i of type bias::user
//     void sensor(const M& m, D& d, int stage) const;          writes d.sensordata of the user sensors of that stage::
//     bool contact_filter(const M& m, const D& d, int geom1, int geom2) const;    decides in place of the geoms' contype and
//                                                              conaffinity, in every step: true drops the pair. Geoms without
//                                                              either, bodies none of whose geoms could touch by them, excluded
//                                                              bodies and explicit pairs are not asked about. It may return a
//                                                              mask of lanes.
//                                                              Give the model room for the contacts it adds (size: nconmax, njmax)
// They are called on a const object, so that the step runs inside a kernel; what a hook remembers belongs in d.userdata.
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx {

struct no_hooks {};

template <class H, class M, class D>
concept has_control = requires(const H& h, const M& m, D& d) { h.control(m, d); };
template <class H, class M, class D>
concept has_passive = requires(const H& h, const M& m, D& d) { h.passive(m, d); };
template <class H, class M, class D>
concept has_act_dyn = requires(const H& h, const M& m, D& d) { h.act_dyn(m, d, 0); };
template <class H, class M, class D>
concept has_act_gain = requires(const H& h, const M& m, const D& d) { h.act_gain(m, d, 0); };
template <class H, class M, class D>
concept has_act_bias = requires(const H& h, const M& m, const D& d) { h.act_bias(m, d, 0); };
template <class H, class M, class D>
concept has_sensor = requires(const H& h, const M& m, D& d) { h.sensor(m, d, 0); };
template <class H, class M, class D>
concept has_contact_filter = requires(const H& h, const M& m, const D& d) { h.contact_filter(m, d, 0, 0); };

template <class M, class D, class H>
void control_hook(const M& m, D& d, const H& hooks) {
    if constexpr (has_control<H, M, D>) hooks.control(m, d);
}
template <class M, class D, class H>
void passive_hook(const M& m, D& d, const H& hooks) {
    if constexpr (has_passive<H, M, D>) hooks.passive(m, d);
}
template <class M, class D, class H>
void sensor_hook(const M& m, D& d, const H& hooks, int stage) {
    if constexpr (has_sensor<H, M, D>) hooks.sensor(m, d, stage);
}
template <class M, class D, class H>
mask_t<typename D::scalar> contact_filter_hook(const M& m, const D& d, const H& hooks, int geom1, int geom2) {
    using Mask = mask_t<typename D::scalar>;
    if constexpr (has_contact_filter<H, M, D>)
        return Mask(hooks.contact_filter(m, d, geom1, geom2));
    else
        return Mask(false);
}

}  // namespace mjx
