// Fields as xtensor arrays that write through to the Data they show, and the arrays that batches, derivatives and robotics.hpp return.
//
//     auto x = mjx::view(sim.data().xpos);       // shape (nbody, 3)
#pragma once

#include "mjx/data/views.hpp"
#include "mjx/robotics/arrays.hpp"

namespace mjx {

using inner::Matrix;
using inner::Tensor3;
using inner::Vector;
using inner::view;

}  // namespace mjx
