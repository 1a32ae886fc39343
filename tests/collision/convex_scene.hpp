// One geom of each kind that the convex collider knows, and functions that collide any two of them at given poses. Sizes are multiples
// of 1/128, which float can hold.
#pragma once

#include "rooms.hpp"

#include "collision/shapes.hpp"
#include "load.hpp"
#include "mjx/collision/convex.hpp"

// How many random poses the laws of each pair are held over.
#ifndef MJX_RANDOM_POSES
#define MJX_RANDOM_POSES 100000
#endif

namespace convex_scene {

using namespace shapes;

inline constexpr int poses = MJX_RANDOM_POSES;

enum : int { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, cube, frustum, ball, count };

inline int mujoco = 314;  // the version whose contacts are wanted: set before the model is first used

inline Model<double>& changeable_model() {
    static Model<double> m = load_model_string(R"(
        <mujoco>
          <asset>
            <hfield name="hf" nrow="4" ncol="5" size=".3 .4 .12 .05" elevation="0 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 2 3 8"/>
            <mesh name="cube" vertex="-13 -15 -9 13 -15 -9 -13 15 -9 13 15 -9 -13 -15 9 13 -15 9 -13 15 9 13 15 9" scale=".0078125 .0078125 .0078125"/>
            <mesh name="frustum" builtin="cone" params="7 .5" scale=".1 .12 .1"/>
            <mesh name="ball" builtin="sphere" params="1" scale=".1 .12 .15"/>
          </asset>
          <worldbody>
            <geom type="plane" size="1 1 .1"/>
            <geom type="hfield" hfield="hf"/>
            <geom type="sphere" size=".1015625"/>
            <geom type="capsule" size=".0703125 .1171875"/>
            <geom type="ellipsoid" size=".1015625 .1484375 .0703125"/>
            <geom type="cylinder" size=".1015625 .078125"/>
            <geom type="box" size=".1015625 .1171875 .0703125"/>
            <geom type="mesh" mesh="cube"/>
            <geom type="mesh" mesh="frustum"/>
            <geom type="mesh" mesh="ball"/>
          </worldbody>
        </mujoco>)",
                                               mujoco);
    return m;
}

inline const Model<double>& model() { return changeable_model(); }

// Is the pair one of the convex collider's, the geom of the lower type first?
inline bool is_convex_pair(int geom1, int geom2) {
    const int type1 = model().geom_type[geom1], type2 = model().geom_type[geom2];
    if (type1 > type2 || type2 < shape::sphere) return false;
    return type1 == shape::hfield || !has_closed_form(type1, type2);
}

// The shape of a geom somewhere.
inline OwnGeom<double> shape_at(int geom, const Vec3<double>& pos, const Mat3<double>& mat) { return {pos, mat, model().geom_size[geom]}; }

// The same with a position and a matrix that float can hold: multiples of 2^-24, since no number is greater than 1.
inline OwnGeom<double> in_float(OwnGeom<double> s) {
    const auto rounded = [](double x) { return std::round(x * 16777216) / 16777216; };
    for (int i = 0; i < 3; ++i) s.pos[i] = rounded(s.pos[i]);
    for (int i = 0; i < 9; ++i) s.mat[i] = rounded(s.mat[i]);
    return s;
}

// What the two geoms make of each other where the shapes say they are.
template <class S>
CollisionResult<S> collide(int geom1, int geom2, const OwnGeom<S>& a, const OwnGeom<S>& b, double margin) {
    CollisionResult<S> out;
    collide_shapes(model(), geom1, geom2, a.view(), b.view(), S(static_cast<value_t<S>>(margin)), mask_t<S>(true), out);
    return out;
}

}  // namespace convex_scene
