// joint_set<Hinge, Slide>: the joints a model may have. Any order and repetition give the same type.
#pragma once

#include "mjx/model/joints.hpp"
#include "mjx/model/type_set.hpp"

namespace mjx::inner {

template <class... J>
struct joint_set_of {
    using subset = ordered_subset<joint_list, all_joints, J...>;
    static_assert(subset::known, "joint_set takes the joint types mjx::Hinge, mjx::Slide, mjx::Ball and mjx::Free");
    using type = typename subset::type;
};
template <class... J>
using joint_set = typename joint_set_of<J...>::type;

}  // namespace mjx::inner
