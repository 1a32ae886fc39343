// Hooks, the user's own physics (mjx/hooks.hpp): which of them a type has, and calls of those it has.
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx::inner {

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

}  // namespace mjx::inner
