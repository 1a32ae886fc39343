// Vectors for the tests of math: different in every component and lane, and compared component by component.
#pragma once

#include "rooms.hpp"

#include "scalar/scalar_types.hpp"

#include "mjx/math/vec.hpp"

namespace scalar_types {

inline const std::vector<double> small_samples{-0.9, -0.5, -0.2, 0.1, 0.3, 0.45, 0.7, 1.0};

template <class S>
mjx::Vec3<S> vector(int i, const std::vector<double>& values = small_samples) {
    const auto seed = static_cast<unsigned>(3 * i);
    return {{spread<S>(values, i, seed), spread<S>(values, i + 1, seed + 1), spread<S>(values, 2 * i + 3, seed + 2)}};
}
template <class V>
bool near_all(const V& a, const V& b, double ulps = 128) {
    for (int i = 0; i < V::size; ++i)
        if (!near(a[i], b[i], ulps)) return false;
    return true;
}
template <class V>
bool finite_all(const V& a) {
    for (int i = 0; i < V::size; ++i)
        if (!finite(a[i])) return false;
    return true;
}

}  // namespace scalar_types
