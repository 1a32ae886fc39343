// The numbers a simulation can be made of, besides float and double.
//
//     mjx::dual<double, 6>      a number and its derivatives by six variables:  x = mjx::dual<double, 6>::variable(0.3, 0)
//     mjx::pack<float>          as many environments as a register has lanes:   mjx::set_lane(x, k, 0.3f)
// Code for any of them never branches on a value: it uses select(mask, a, b), any(mask) and all(mask).
#pragma once

#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"

namespace mjx {

using inner::all;
using inner::any;
using inner::dual;
using inner::lane;
using inner::lane_t;
using inner::lanes_v;
using inner::mask_t;
using inner::pack;
using inner::scalar;
using inner::select;
using inner::set_lane;
using inner::value_t;

}  // namespace mjx
