// Names of the library's main types, for headers that only mention them.
//
//     double height(const mjx::Model<>& model, const mjx::Data<double, mjx::Model<>>& d);
#pragma once

#include "mjx/model/joints.hpp"

namespace mjx::inner {

template <class Real = double, class Joints = all_joints>
struct Model;

struct standard_space;

template <class S, class M, class Space = standard_space>
struct Data;

}  // namespace mjx::inner

namespace mjx {

using inner::Data;
using inner::Model;

}  // namespace mjx
