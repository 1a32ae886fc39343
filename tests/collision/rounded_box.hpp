// A user's shape for tests: a box of half sizes `size`, rounded by a radius; and what is known of it in closed form.
#pragma once

#include "rooms.hpp"

#include "mjx/compile/compile.hpp"
#include "mjx/shapes.hpp"

#include <cmath>

namespace rounded {

using namespace mjx;

inline constexpr double radius = 0.05;

struct RoundedBox {
    static constexpr int type = shape::count, sizes = 3;
    static constexpr const char* name = "rounded_box";

    template <class T>
    static Vec3<T> support(const Vec3<T>& size, const Vec3<T>& dir) {
        Vec3<T> p = dir * T(static_cast<value_t<T>>(radius));
        for (int i = 0; i < 3; ++i) p[i] += dir[i] >= T(0) ? size[i] : -size[i];
        return p;
    }
};
// The same, which also says that it is a box grown by the radius.
struct GrownBox : RoundedBox {
    static constexpr int type = shape::count + 1;
    static constexpr const char* name = "grown_box";

    template <class T>
    static T core_radius(const Vec3<T>&) {
        return T(static_cast<value_t<T>>(radius));
    }
    template <class T>
    static Vec3<T> core(const Vec3<T>& size, const Vec3<T>& dir) {
        return Box::support(size, dir);
    }
};

template <class Real>
using UserModel = WithShapes<Model<Real>, RoundedBox, GrownBox>;
using M = UserModel<double>;

// The distance of a point from its surface.
inline double distance(const Vec3<double>& size, const Vec3<double>& p, Vec3<double>* gradient = nullptr) {
    return sdf::Box<double>{size}.distance(p, gradient) - radius;
}

}  // namespace rounded
