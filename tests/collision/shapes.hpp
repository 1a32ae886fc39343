// Random geoms, and contacts in a form that tests can compare.
#pragma once

#include "rooms.hpp"

#include "mjx/collision/closed_form.hpp"
#include "mjx/math/quat.hpp"

#include <random>
#include <vector>

namespace shapes {

using namespace mjx;

struct Pair {
    int type1, type2;
    const char* name;
};
inline const std::vector<Pair> closed_forms{{shape::plane, shape::sphere, "plane-sphere"},
                                            {shape::plane, shape::capsule, "plane-capsule"},
                                            {shape::plane, shape::ellipsoid, "plane-ellipsoid"},
                                            {shape::plane, shape::cylinder, "plane-cylinder"},
                                            {shape::plane, shape::box, "plane-box"},
                                            {shape::sphere, shape::sphere, "sphere-sphere"},
                                            {shape::sphere, shape::capsule, "sphere-capsule"},
                                            {shape::sphere, shape::cylinder, "sphere-cylinder"},
                                            {shape::sphere, shape::box, "sphere-box"},
                                            {shape::capsule, shape::capsule, "capsule-capsule"},
                                            {shape::capsule, shape::box, "capsule-box"},
                                            {shape::box, shape::box, "box-box"}};

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }

inline Vec3<double> vector(Random& random, double size) {
    return {{uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size)}};
}
inline Mat3<double> rotation(Random& random) {
    std::normal_distribution<double> normal;
    return to_mat3(normalize(Quat<double>{{normal(random), normal(random), normal(random), normal(random)}}));
}
inline OwnGeom<double> any_shape(Random& random, double spread) {
    OwnGeom<double> s{vector(random, spread), rotation(random), {}};
    for (int i = 0; i < 3; ++i) s.size[i] = uniform(random, 0.05, 0.5);
    return s;
}

// A shape shifted along (k < 3) or turned about an axis of the world.
inline OwnGeom<double> shifted(const OwnGeom<double>& s, int k, double by) {
    OwnGeom<double> r = s;
    Vec3<double> turn = Vec3<double>::zero();
    if (k < 3) r.pos[k] += by;
    if (k >= 3) turn[k - 3] = by;
    r.mat = to_mat3(exp_quat(turn)) * s.mat;
    return r;
}

// Another number type, the same in every lane.
template <class S>
OwnGeom<S> to(const OwnGeom<double>& s) {
    OwnGeom<S> r;
    for (int i = 0; i < 3; ++i) r.pos[i] = S(static_cast<value_t<S>>(s.pos[i]));
    for (int i = 0; i < 9; ++i) r.mat[i] = S(static_cast<value_t<S>>(s.mat[i]));
    for (int i = 0; i < 3; ++i) r.size[i] = S(static_cast<value_t<S>>(s.size[i]));
    return r;
}

template <class S>
using Found = CollisionResult<S>;

template <class S>
Found<S> collide(const Pair& p, const OwnGeom<S>& a, const OwnGeom<S>& b, double margin) {
    Found<S> out;
    collide_closed_form(type_pair(p.type1, p.type2), a.view(), b.view(), S(static_cast<value_t<S>>(margin)), mask_t<S>(true), out);
    return out;
}

// The least distance found, or the margin.
template <class S>
S depth(const Found<S>& found, double margin) {
    S least(static_cast<value_t<S>>(margin));
    for (int i = 0; i < found.count; ++i) least = select(found.point[i].active && found.point[i].dist < least, found.point[i].dist, least);
    return least;
}

// One moved rigidly: rotated by r, then shifted by t.
inline OwnGeom<double> moved(const OwnGeom<double>& s, const Mat3<double>& r, const Vec3<double>& t) {
    return {r * s.pos + t, r * s.mat, s.size};
}

}  // namespace shapes
