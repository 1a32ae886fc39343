// joint_set<Hinge, Slide, Screw>: the joints a model may have, the library's and a program's own. Any order and repetition give the same
// type.
#pragma once

#include "mjx/model/joints.hpp"
#include "mjx/model/type_set.hpp"

namespace mjx::inner {

template <class J, class... Own>
constexpr bool is_among(joint_list<Own...>) {
    return (std::same_as<J, Own> || ...);
}

template <class... J>
struct joint_set_of {
    static_assert((joint_like<J> && ...),
                  "joint_set takes joints: those of mjx/joints.hpp, or structs of your own made as that header shows");
};
template <joint_like... J>
struct joint_set_of<J...> {
    static_assert(((J::type >= jnt::user || is_among<J>(all_joints{})) && ...),
                  "a joint of your own has a type from mjx::jnt::user on: lower numbers are the library's");
    static_assert(
        (adds_velocity<J> && ...),
        "a scalar joint adds velocity to position: it derives from mjx::ScalarJoint and has no integrate or difference of its own");
    using type = typename ordered_set<joint_list, J...>::type;
    static_assert(type::numbered_apart, "two joints of a joint_set have the same type, expected a number of its own for each");
};
template <class... J>
using joint_set = typename joint_set_of<J...>::type;

}  // namespace mjx::inner
