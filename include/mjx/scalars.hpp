// The numbers a simulation can be made of, besides float and double.
//
//     mjx::dual<double, 6>      a number and its derivatives by six variables:  x = mjx::dual<double, 6>::variable(0.3, 0)
//     mjx::pack<float>          as many environments as a register has lanes:   mjx::set_lane(x, k, 0.3f)
// Code for any of them never branches on a value: it uses select(mask, a, b), any(mask) and all(mask), and the functions below, which float
// and double have as well: mjx::max(x, S(0)), mjx::sqrt(x).
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

using inner::abs;
using inner::acos;
using inner::asin;
using inner::atan2;
using inner::clamp;
using inner::copysign;
using inner::cos;
using inner::exp;
using inner::floor;
using inner::log;
using inner::max;
using inner::min;
using inner::pow;
using inner::sin;
using inner::sqrt;
using inner::tan;
using inner::tanh;

}  // namespace mjx
