// Shapes of geoms: the built-in ones, and how to write one of your own.
//
//     struct RoundedBox {                                          // convex, centred, its principal axes along x, y and z
//         static constexpr int type = mjx::shape::count, sizes = 3;        // its number; how many sizes must be positive
//         static constexpr const char* name = "rounded_box";
//         template <class T>                                       // the point furthest along the unit vector dir, in its frame
//         static mjx::Vec3<T> support(const mjx::Vec3<T>& size, const mjx::Vec3<T>& dir) {
//             mjx::Vec3<T> p = dir * T(0.05);
//             for (int i = 0; i < 3; ++i) p[i] += dir[i] >= T(0) ? size[i] : -size[i];
//             return p;
//         }
//     };
//     body.add_geom({.type = RoundedBox::type, .size = {0.1, 0.2, 0.3}});
//     auto model = mjx::compile<RoundedBox>(spec);                 // a mjx::WithShapes<mjx::Model<>, RoundedBox>
//     auto sim = mjx::simulator<mjx::Euler, mjx::Newton>(model);
// With joints of the program's own (joints.hpp) as well: mjx::compile<joints, RoundedBox>(spec), with compile.hpp, gives a
// mjx::WithShapes<mjx::Model<double, joints>, RoundedBox>.
//
// It collides with everything, is met by rays, has mass, inertia and bounds, works for every scalar and has derivatives. It may also have,
// where a formula is better than what the support function gives (model/shape/list.hpp says what each of them is):
//     volume(size, shell), inertia(mass, size, shell)      else by summing over its hull, to 1e-6
//     radius(size), half_sizes(size)                       bounding sphere and box
//     core_radius(size), core(size, dir)                   it is another shape grown by a radius: contacts become exact and faster
//     ray(ray, size, hit), inside(size, point)             in lanes
//     static constexpr bool round = true                   it touches others in one point
// Fields, shapes by a signed distance instead of a support function, are given by WithField.
#pragma once

#include "mjx/collision/sdf_user.hpp"
#include "mjx/math.hpp"
#include "mjx/model/shape/user.hpp"

namespace mjx {

using inner::Box;
using inner::Capsule;
using inner::convex_shape;
using inner::Cylinder;
using inner::Ellipsoid;
using inner::LocalRay;
using inner::Plane;
using inner::Sphere;
using inner::SurfaceHit;
using inner::WithField;
using inner::WithShapes;

namespace shape = inner::shape;

}  // namespace mjx
