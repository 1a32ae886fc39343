// The arrays in which robotics.hpp returns its results: xtensor's. Comes with mjx/views.hpp.
#pragma once

#include "mjx/data/views.hpp"
#include "mjx/robotics/answer.hpp"

namespace mjx::inner {

template <class S>
Matrix<S> make_array(array_of<S>, MatrixShape shape) {
    return Matrix<S>::from_shape({static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.columns)});
}
template <class S>
Vector<S> make_array(array_of<S>, VectorShape shape) {
    return Vector<S>::from_shape({static_cast<std::size_t>(shape.size)});
}

}  // namespace mjx::inner
