// Where a ray meets one geom: plane, sphere, capsule, ellipsoid, cylinder or box, in lanes (mju_rayGeom).
//
// A ray is pnt + x vec, x >= 0, in the world; vec need not have unit length, x counts in its lengths. The answer is the smallest x,
// or -1 without a hit, and the outward normal there (zero without a hit). A ray that starts inside hits the surface from inside,
// except that a plane is met from above only and, when it has a size, only within its rectangle.
#pragma once

#include "mjx/collision/geom.hpp"
#include "mjx/model/types.hpp"

namespace mjx::inner {

template <class S>
struct SurfaceHit {
    S x = S(-1);
    Vec3<S> normal = Vec3<S>::zero();

    // Takes the solution x where it is on the surface (`where`), not behind the start and nearer than what there is.
    [[gnu::noinline]] void take(const S& solution, const Vec3<S>& n, const mask_t<S>& where) {
        const auto better = where && solution >= S(0) && (x < S(0) || solution < x);
        x = select(better, solution, x);
        normal = select(better, n, normal);
    }
    // The same with the normal turned from the frame of a shape into the world.
    SurfaceHit in_world(const Mat3<S>& mat) const { return {x, select(x >= S(0), Vec3<S>(mat * normal), Vec3<S>::zero())}; }
};

// Both solutions of a x² + 2 b x + c = 0, the smaller first; -1 where there are none.
template <class S>
void ray_quadratic(const S& a, const S& b, const S& c, S& x0, S& x1) {
    const S det = b * b - a * c;
    const auto real = det >= S(0) && a >= S(minval_v<S>);
    const S root = sqrt(select(real, det, S(1))), inverse = S(1) / select(real, a, S(1));
    x0 = select(real, (-b - root) * inverse, S(-1));
    x1 = select(real, (-b + root) * inverse, S(-1));
}

// A ray in the frame of the shape.
template <class S>
struct LocalRay {
    Vec3<S> pnt, vec;

    LocalRay(const Geom<S>& s, const Vec3<S>& p, const Vec3<S>& v) : pnt(s.local(p)), vec(s.local_direction(v)) {}
    Vec3<S> at(const S& x) const { return pnt + vec * x; }
};

// The functions below take what they hit, with normals in the frame of the shape.
template <class S>
void ray_plane(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
    const auto towards = ray.vec[2] <= S(-minval_v<S>);
    const S x = -ray.pnt[2] / select(towards, ray.vec[2], S(-1));
    const Vec3<S> p = ray.at(x);
    const auto inside = [&](int i) { return size[i] <= S(0) || abs(p[i]) <= size[i]; };
    hit.take(x, Vec3<S>{{S(0), S(0), S(1)}}, towards && inside(0) && inside(1));
}

// The half of a ball around (0, 0, side * height) that is beyond its centre; with side 0 the whole ball around the origin.
template <class S>
void ray_ball(const LocalRay<S>& ray, const S& radius, const S& height, value_t<S> side, SurfaceHit<S>& hit) {
    const Vec3<S> centre{{S(0), S(0), height * side}}, from = ray.pnt - centre;
    S x[2];
    ray_quadratic(S(dot(ray.vec, ray.vec)), S(dot(ray.vec, from)), S(dot(from, from) - radius * radius), x[0], x[1]);
    for (int i = 0; i < 2; ++i) {
        const Vec3<S> p = ray.at(x[i]);
        hit.take(x[i], normalize(Vec3<S>(p - centre)), mask_t<S>(side == 0) || p[2] * side >= height);
    }
}

// The round side of a capsule or cylinder: the nearer solution not behind the start, between the ends.
template <class S>
void ray_side(const LocalRay<S>& ray, const S& radius, const S& height, SurfaceHit<S>& hit) {
    const Vec3<S> &p = ray.pnt, &v = ray.vec;
    S x0, x1;
    ray_quadratic(S(v[0] * v[0] + v[1] * v[1]), S(v[0] * p[0] + v[1] * p[1]),
                  S(p[0] * p[0] + p[1] * p[1] - radius * radius), x0, x1);
    const S x = select(x0 >= S(0), x0, x1);
    Vec3<S> q = ray.at(x);
    const auto between = abs(q[2]) <= height;
    q[2] = S(0);
    hit.take(x, normalize(q), between);
}

template <class S>
void ray_capsule(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
    ray_side(ray, size[0], size[1], hit);
    for (int side = 1; side >= -1; side -= 2) ray_ball(ray, size[0], size[1], static_cast<value_t<S>>(side), hit);
}

// A sphere in coordinates divided by the semi-axes; the normal is the gradient of its equation.
template <class S>
void ray_ellipsoid(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
    S a(0), b(0), c(-1);
    Vec3<S> weight;
    for (int i = 0; i < 3; ++i) {
        weight[i] = safe_divide(S(1), S(size[i] * size[i]));
        a += weight[i] * ray.vec[i] * ray.vec[i];
        b += weight[i] * ray.vec[i] * ray.pnt[i];
        c += weight[i] * ray.pnt[i] * ray.pnt[i];
    }
    S x0, x1;
    ray_quadratic(a, b, c, x0, x1);
    const S x = select(x0 >= S(0), x0, x1);
    Vec3<S> gradient = ray.at(x);
    for (int i = 0; i < 3; ++i) gradient[i] = gradient[i] * weight[i];
    hit.take(x, normalize(gradient), mask_t<S>(true));
}

template <class S>
void ray_cylinder(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
    const auto crosses = abs(ray.vec[2]) > S(minval_v<S>);
    const S inverse = S(1) / select(crosses, ray.vec[2], S(1));
    for (int side = -1; side <= 1; side += 2) {
        const value_t<S> sign = static_cast<value_t<S>>(side);
        const S x = (size[1] * sign - ray.pnt[2]) * inverse;
        const Vec3<S> p = ray.at(x);
        hit.take(x, Vec3<S>{{S(0), S(0), S(sign)}}, crosses && p[0] * p[0] + p[1] * p[1] <= size[0] * size[0]);
    }
    ray_side(ray, size[0], size[1], hit);
}

// The faces of a box, in the order -x +x -y +y -z +z; faces[i] is x there or -1.
template <class S>
void ray_box(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit, Vec<S, 6>& faces) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const auto crosses = abs(ray.vec[i]) > S(minval_v<S>);
        const S inverse = S(1) / select(crosses, ray.vec[i], S(1));
        for (int side = 0; side < 2; ++side) {
            const value_t<S> sign = side ? 1 : -1;
            const S x = (size[i] * sign - ray.pnt[i]) * inverse;
            const Vec3<S> p = ray.at(x);
            const auto inside = crosses && x >= S(0) && abs(p[j]) <= size[j] && abs(p[k]) <= size[k];
            faces[2 * i + side] = select(inside, x, S(-1));
            Vec3<S> normal = Vec3<S>::zero();
            normal[i] = S(sign);
            hit.take(x, normal, inside);
        }
    }
}

// Lanes in which the ray meets a box.
template <class S>
mask_t<S> ray_meets_box(const LocalRay<S>& ray, const Vec3<S>& size, Vec<S, 6>& faces) {
    SurfaceHit<S> hit;
    ray_box(ray, size, hit, faces);
    return hit.x >= S(0);
}

// By shape type; meshes, height fields and signed distance fields are in ray.hpp.
template <class S>
SurfaceHit<S> ray_shape(int type, const Geom<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    const LocalRay<S> ray(s, pnt, vec);
    SurfaceHit<S> hit;
    Vec<S, 6> faces;
    switch (type) {
        case shape::plane: ray_plane(ray, s.size, hit); break;
        case shape::sphere: ray_ball(ray, s.size[0], S(0), 0, hit); break;
        case shape::capsule: ray_capsule(ray, s.size, hit); break;
        case shape::ellipsoid: ray_ellipsoid(ray, s.size, hit); break;
        case shape::cylinder: ray_cylinder(ray, s.size, hit); break;
        case shape::box: ray_box(ray, s.size, hit, faces); break;
    }
    return hit.in_world(s.mat);
}

}  // namespace mjx::inner
