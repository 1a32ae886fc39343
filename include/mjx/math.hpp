// Vectors, quaternions and matrices as the fields of models and data hold them: plain arrays of scalars, w x y z, row by row.
//
//     mjx::Vec3<double> up{{0, 0, 1}};
//     const auto tip = d.xpos[b] + rotate(d.xquat[b], up);      // cross, dot, norm, normalize, conjugate, ... are found by their arguments
// xtensor arrays of whole fields are in views.hpp.
#pragma once

#include "mjx/math/spatial.hpp"

namespace mjx {

using inner::Mat3;
using inner::Quat;
using inner::Vec;
using inner::Vec3;
using inner::Vec6;

}  // namespace mjx
