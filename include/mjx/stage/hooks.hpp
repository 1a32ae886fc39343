// Hooks, the user's own physics (mjx/hooks.hpp): one struct for each says whether a type has a member of that name, whether it can
// be called as the step does, what to say if not, and calls it, or does what the step does without it.
//
// A hook is called if it can be, so a wrong signature, a missing const or a misspelt name would mean that it never is: hook_check finds
// such mistakes when a simulator is compiled. A class has a member of some name, whatever it is, if that name becomes ambiguous in a
// class that inherits it from a second base; one that is data is no hook.
#pragma once

#include "mjx/scalar/scalar.hpp"

#include <type_traits>

namespace mjx::inner {

struct no_hooks {};

template <class H, class Name>
struct with_second_base : H, Name {};

namespace hook {

struct control {
    int control;
    template <class H>
    static constexpr bool named = !requires { &with_second_base<H, hook::control>::control; } &&
                                  !requires { requires std::is_member_object_pointer_v<decltype(&H::control)>; };
    template <class H, class M, class D>
    static constexpr bool callable = requires(const H& h, const M& m, D& d) { h.control(m, d); };
    template <class H, class M, class D>
    static constexpr bool check() {
        static_assert(!named<H> || callable<H, M, D>, "the hook must be void control(const M& m, D& d) const, for this M and D");
        return named<H>;
    }
    template <class M, class D, class H>
    static void call(const M& m, D& d, const H& hooks) {
        if constexpr (callable<H, M, D>) hooks.control(m, d);
    }
};

struct passive {
    int passive;
    template <class H>
    static constexpr bool named = !requires { &with_second_base<H, hook::passive>::passive; } &&
                                  !requires { requires std::is_member_object_pointer_v<decltype(&H::passive)>; };
    template <class H, class M, class D>
    static constexpr bool callable = requires(const H& h, const M& m, D& d) { h.passive(m, d); };
    template <class H, class M, class D>
    static constexpr bool check() {
        static_assert(!named<H> || callable<H, M, D>, "the hook must be void passive(const M& m, D& d) const, for this M and D");
        return named<H>;
    }
    template <class M, class D, class H>
    static void call(const M& m, D& d, const H& hooks) {
        if constexpr (callable<H, M, D>) hooks.passive(m, d);
    }
};

struct act_dyn {
    int act_dyn;
    template <class H>
    static constexpr bool named = !requires { &with_second_base<H, hook::act_dyn>::act_dyn; } &&
                                  !requires { requires std::is_member_object_pointer_v<decltype(&H::act_dyn)>; };
    template <class H, class M, class D>
    static constexpr bool callable = requires(const H& h, const M& m, D& d) { h.act_dyn(m, d, 0); };
    template <class H, class M, class D>
    static constexpr bool check() {
        static_assert(!named<H> || callable<H, M, D>, "the hook must be S act_dyn(const M& m, D& d, int i) const, for this M and D");
        return named<H>;
    }
    template <class M, class D, class H>
    static typename D::scalar call(const M& m, D& d, const H& hooks, int i) {
        if constexpr (callable<H, M, D>)
            return hooks.act_dyn(m, d, i);
        else
            return typename D::scalar(0);
    }
};

struct act_gain {
    int act_gain;
    template <class H>
    static constexpr bool named = !requires { &with_second_base<H, hook::act_gain>::act_gain; } &&
                                  !requires { requires std::is_member_object_pointer_v<decltype(&H::act_gain)>; };
    template <class H, class M, class D>
    static constexpr bool callable = requires(const H& h, const M& m, const D& d) { h.act_gain(m, d, 0); };
    template <class H, class M, class D>
    static constexpr bool check() {
        static_assert(!named<H> || callable<H, M, D>, "the hook must be S act_gain(const M& m, const D& d, int i) const, for this M and D");
        return named<H>;
    }
    template <class M, class D, class H>
    static typename D::scalar call(const M& m, const D& d, const H& hooks, int i) {
        if constexpr (callable<H, M, D>)
            return typename D::scalar(hooks.act_gain(m, d, i));
        else
            return typename D::scalar(1);
    }
};

struct act_bias {
    int act_bias;
    template <class H>
    static constexpr bool named = !requires { &with_second_base<H, hook::act_bias>::act_bias; } &&
                                  !requires { requires std::is_member_object_pointer_v<decltype(&H::act_bias)>; };
    template <class H, class M, class D>
    static constexpr bool callable = requires(const H& h, const M& m, const D& d) { h.act_bias(m, d, 0); };
    template <class H, class M, class D>
    static constexpr bool check() {
        static_assert(!named<H> || callable<H, M, D>, "the hook must be S act_bias(const M& m, const D& d, int i) const, for this M and D");
        return named<H>;
    }
    template <class M, class D, class H>
    static typename D::scalar call(const M& m, const D& d, const H& hooks, int i) {
        if constexpr (callable<H, M, D>)
            return typename D::scalar(hooks.act_bias(m, d, i));
        else
            return typename D::scalar(0);
    }
};

struct sensor {
    int sensor;
    template <class H>
    static constexpr bool named = !requires { &with_second_base<H, hook::sensor>::sensor; } &&
                                  !requires { requires std::is_member_object_pointer_v<decltype(&H::sensor)>; };
    template <class H, class M, class D>
    static constexpr bool callable = requires(const H& h, const M& m, D& d) { h.sensor(m, d, 0); };
    template <class H, class M, class D>
    static constexpr bool check() {
        static_assert(!named<H> || callable<H, M, D>, "the hook must be void sensor(const M& m, D& d, int at) const, for this M and D");
        return named<H>;
    }
    template <class M, class D, class H>
    static void call(const M& m, D& d, const H& hooks, int at) {
        if constexpr (callable<H, M, D>) hooks.sensor(m, d, at);
    }
};

struct contact_filter {
    int contact_filter;
    template <class H>
    static constexpr bool named = !requires { &with_second_base<H, hook::contact_filter>::contact_filter; } &&
                                  !requires { requires std::is_member_object_pointer_v<decltype(&H::contact_filter)>; };
    template <class H, class M, class D>
    static constexpr bool callable = requires(const H& h, const M& m, const D& d) { h.contact_filter(m, d, 0, 0); };
    template <class H, class M, class D>
    static constexpr bool check() {
        static_assert(!named<H> || callable<H, M, D>,
                      "the hook must be bool contact_filter(const M& m, const D& d, int geom1, int geom2) const, for this M and D");
        return named<H>;
    }
    template <class M, class D, class H>
    static mask_t<typename D::scalar> call(const M& m, const D& d, const H& hooks, int geom1, int geom2) {
        using Mask = mask_t<typename D::scalar>;
        if constexpr (callable<H, M, D>)
            return Mask(hooks.contact_filter(m, d, geom1, geom2));
        else
            return Mask(false);
    }
};

}  // namespace hook

template <class... Hook>
struct hook_list {
    template <class H, class M, class D>
    static constexpr int count = (0 + ... + Hook::template check<H, M, D>());
};
using all_hooks =
    hook_list<hook::control, hook::passive, hook::act_dyn, hook::act_gain, hook::act_bias, hook::sensor, hook::contact_filter>;

template <class H, class M, class D>
struct hook_check {
    static_assert(all_hooks::count<H, M, D> > 0,
                  "the fifth parameter of Simulator has no hook: control, passive, act_dyn, act_gain, act_bias, sensor or contact_filter");
};
template <class M, class D>
struct hook_check<no_hooks, M, D> {};
// A final class cannot be asked.
template <class H, class M, class D>
    requires(std::is_final_v<H>)
struct hook_check<H, M, D> {};

}  // namespace mjx::inner
