// Mistakes in a hooks type, found when a simulator of it is compiled. A hook is called if it can be, so a wrong signature, a missing const
// or a misspelt name would otherwise mean that it never is.
//
// A class has a member of some name, whatever it is, if that name becomes ambiguous in a class that inherits it from a second base.
#pragma once

#include "mjx/stage/hooks.hpp"

#include <type_traits>

namespace mjx {

namespace hook_name {
struct control { int control; };
struct passive { int passive; };
struct act_dyn { int act_dyn; };
struct act_gain { int act_gain; };
struct act_bias { int act_bias; };
struct sensor { int sensor; };
struct contact_filter { int contact_filter; };
}  // namespace hook_name

template <class H, class Name>
struct with_second_base : H, Name {};

template <class H, class M, class D>
struct hook_check {
    template <class Name>
    using two = with_second_base<H, Name>;
    static constexpr bool names_control = !requires { &two<hook_name::control>::control; };
    static constexpr bool names_passive = !requires { &two<hook_name::passive>::passive; };
    static constexpr bool names_act_dyn = !requires { &two<hook_name::act_dyn>::act_dyn; };
    static constexpr bool names_act_gain = !requires { &two<hook_name::act_gain>::act_gain; };
    static constexpr bool names_act_bias = !requires { &two<hook_name::act_bias>::act_bias; };
    static constexpr bool names_sensor = !requires { &two<hook_name::sensor>::sensor; };
    static constexpr bool names_contact_filter = !requires { &two<hook_name::contact_filter>::contact_filter; };

    static_assert(names_control || names_passive || names_act_dyn || names_act_gain || names_act_bias || names_sensor ||
                      names_contact_filter,
                  "the fifth parameter of Simulator has no hook: control, passive, act_dyn, act_gain, act_bias, sensor or contact_filter");
    static_assert(!names_control || has_control<H, M, D>, "the hook must be void control(const M& m, D& d) const, for this M and D");
    static_assert(!names_passive || has_passive<H, M, D>, "the hook must be void passive(const M& m, D& d) const, for this M and D");
    static_assert(!names_act_dyn || has_act_dyn<H, M, D>, "the hook must be S act_dyn(const M& m, D& d, int i) const, for this M and D");
    static_assert(!names_act_gain || has_act_gain<H, M, D>,
                  "the hook must be S act_gain(const M& m, const D& d, int i) const, for this M and D");
    static_assert(!names_act_bias || has_act_bias<H, M, D>,
                  "the hook must be S act_bias(const M& m, const D& d, int i) const, for this M and D");
    static_assert(!names_sensor || has_sensor<H, M, D>,
                  "the hook must be void sensor(const M& m, D& d, int stage) const, for this M and D");
    static_assert(!names_contact_filter || has_contact_filter<H, M, D>,
                  "the hook must be bool contact_filter(const M& m, const D& d, int geom1, int geom2) const, for this M and D");
};
template <class M, class D>
struct hook_check<no_hooks, M, D> {};

}  // namespace mjx
