// Mistakes in a hooks type, found when a simulator of it is compiled. A hook is called if it can be, so a wrong signature, a missing const
// or a misspelt name would otherwise mean that it never is.
//
// A class has a member of some name, whatever it is, if that name becomes ambiguous in a class that inherits it from a second base; one
// that is data is no hook.
#pragma once

#include "mjx/stage/hooks.hpp"

#include <type_traits>

namespace mjx::inner {

template <class H, class Name>
struct with_second_base : H, Name {};

namespace hook_name {
struct control {
    int control;
    template <class H>
    static constexpr bool in = !requires { &with_second_base<H, hook_name::control>::control; } &&
                               !requires { requires std::is_member_object_pointer_v<decltype(&H::control)>; };
};
struct passive {
    int passive;
    template <class H>
    static constexpr bool in = !requires { &with_second_base<H, hook_name::passive>::passive; } &&
                               !requires { requires std::is_member_object_pointer_v<decltype(&H::passive)>; };
};
struct act_dyn {
    int act_dyn;
    template <class H>
    static constexpr bool in = !requires { &with_second_base<H, hook_name::act_dyn>::act_dyn; } &&
                               !requires { requires std::is_member_object_pointer_v<decltype(&H::act_dyn)>; };
};
struct act_gain {
    int act_gain;
    template <class H>
    static constexpr bool in = !requires { &with_second_base<H, hook_name::act_gain>::act_gain; } &&
                               !requires { requires std::is_member_object_pointer_v<decltype(&H::act_gain)>; };
};
struct act_bias {
    int act_bias;
    template <class H>
    static constexpr bool in = !requires { &with_second_base<H, hook_name::act_bias>::act_bias; } &&
                               !requires { requires std::is_member_object_pointer_v<decltype(&H::act_bias)>; };
};
struct sensor {
    int sensor;
    template <class H>
    static constexpr bool in = !requires { &with_second_base<H, hook_name::sensor>::sensor; } &&
                               !requires { requires std::is_member_object_pointer_v<decltype(&H::sensor)>; };
};
struct contact_filter {
    int contact_filter;
    template <class H>
    static constexpr bool in = !requires { &with_second_base<H, hook_name::contact_filter>::contact_filter; } &&
                               !requires { requires std::is_member_object_pointer_v<decltype(&H::contact_filter)>; };
};
}  // namespace hook_name

template <class H, class M, class D>
struct hook_check {
    static constexpr bool control = hook_name::control::template in<H>;
    static constexpr bool passive = hook_name::passive::template in<H>;
    static constexpr bool act_dyn = hook_name::act_dyn::template in<H>;
    static constexpr bool act_gain = hook_name::act_gain::template in<H>;
    static constexpr bool act_bias = hook_name::act_bias::template in<H>;
    static constexpr bool sensor = hook_name::sensor::template in<H>;
    static constexpr bool contact_filter = hook_name::contact_filter::template in<H>;

    static_assert(control || passive || act_dyn || act_gain || act_bias || sensor || contact_filter,
                  "the fifth parameter of Simulator has no hook: control, passive, act_dyn, act_gain, act_bias, sensor or contact_filter");
    static_assert(!control || has_control<H, M, D>, "the hook must be void control(const M& m, D& d) const, for this M and D");
    static_assert(!passive || has_passive<H, M, D>, "the hook must be void passive(const M& m, D& d) const, for this M and D");
    static_assert(!act_dyn || has_act_dyn<H, M, D>, "the hook must be S act_dyn(const M& m, D& d, int i) const, for this M and D");
    static_assert(!act_gain || has_act_gain<H, M, D>,
                  "the hook must be S act_gain(const M& m, const D& d, int i) const, for this M and D");
    static_assert(!act_bias || has_act_bias<H, M, D>,
                  "the hook must be S act_bias(const M& m, const D& d, int i) const, for this M and D");
    static_assert(!sensor || has_sensor<H, M, D>, "the hook must be void sensor(const M& m, D& d, int at) const, for this M and D");
    static_assert(!contact_filter || has_contact_filter<H, M, D>,
                  "the hook must be bool contact_filter(const M& m, const D& d, int geom1, int geom2) const, for this M and D");
};
template <class M, class D>
struct hook_check<no_hooks, M, D> {};
// A final class cannot be asked.
template <class H, class M, class D>
    requires(std::is_final_v<H>)
struct hook_check<H, M, D> {};

}  // namespace mjx::inner
