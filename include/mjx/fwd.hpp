// Names of the library's main types, for headers that only mention them.
#pragma once

#include "mjx/model/joints.hpp"

namespace mjx::inner {

template <class Real = double, class Joints = all_joints>
struct Model;

template <class S, class M>
struct Data;

}  // namespace mjx::inner
