// Where a ray meets one geom: plane, sphere, capsule, ellipsoid, cylinder or box, in lanes (mju_rayGeom).
//
// A ray is pnt + x vec, x >= 0, in the world; vec need not have unit length, x counts in its lengths. The answer is the smallest x,
// or -1 without a hit, and the outward normal there (zero without a hit). A ray that starts inside hits the surface from inside,
// except that a plane is met from above only and, when it has a size, only within its rectangle.
#pragma once

#include "mjx/collision/shape.hpp"
#include "mjx/model/types.hpp"

namespace mjx {

template <class S>
struct ShapeHit {
    S x = S(-1);
    Vec3<S> normal = Vec3<S>::zero();

    // Takes the solution x where it is on the surface (`where`), not behind the start and nearer than what there is.
    void take(const S& solution, const Vec3<S>& n, const mask_t<S>& where) {
        const auto better = where && solution >= S(0) && (x < S(0) || solution < x);
        x = select(better, solution, x);
        normal = select(better, n, normal);
    }
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

    [[gnu::noinline]] LocalRay(const Shape<S>& s, const Vec3<S>& p, const Vec3<S>& v)
        : pnt(transpose_mul(s.mat, Vec3<S>(p - s.pos))), vec(transpose_mul(s.mat, v)) {}
    Vec3<S> at(const S& x) const { return pnt + vec * x; }
};

template <class S>
ShapeHit<S> ray_plane(const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    const LocalRay<S> ray(s, pnt, vec);
    ShapeHit<S> hit;
    const auto towards = ray.vec[2] <= S(-minval_v<S>);
    const S x = -ray.pnt[2] / select(towards, ray.vec[2], S(-1));
    const Vec3<S> p = ray.at(x);
    const auto inside = [&](int i) { return s.size[i] <= S(0) || abs(p[i]) <= s.size[i]; };
    hit.take(x, s.axis(), towards && inside(0) && inside(1));
    return hit;
}

// A ball of the given radius around the local point `centre`; `where` chooses from the point hit. Normals stay local.
template <class S, class Where>
void ray_ball(const LocalRay<S>& ray, const Vec3<S>& centre, const S& radius, ShapeHit<S>& hit, Where&& where) {
    const Vec3<S> from = ray.pnt - centre;
    S x[2];
    ray_quadratic(S(dot(ray.vec, ray.vec)), S(dot(ray.vec, from)), S(dot(from, from) - radius * radius), x[0], x[1]);
    for (int i = 0; i < 2; ++i) {
        const Vec3<S> p = ray.at(x[i]);
        hit.take(x[i], normalize(Vec3<S>(p - centre)), where(p));
    }
}

// The round side of a capsule or cylinder: the nearer solution not behind the start, between the ends.
template <class S>
void ray_side(const LocalRay<S>& ray, const S& radius, const S& height, ShapeHit<S>& hit) {
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
ShapeHit<S> ray_sphere(const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    const LocalRay<S> ray(s, pnt, vec);
    ShapeHit<S> hit;
    ray_ball(ray, Vec3<S>::zero(), s.size[0], hit, [](const Vec3<S>&) { return mask_t<S>(true); });
    hit.normal = s.mat * hit.normal;
    return hit;
}

template <class S>
ShapeHit<S> ray_capsule(const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    const LocalRay<S> ray(s, pnt, vec);
    const S height = s.size[1];
    ShapeHit<S> hit;
    ray_side(ray, s.size[0], height, hit);
    ray_ball(ray, Vec3<S>{{S(0), S(0), height}}, s.size[0], hit, [&](const Vec3<S>& p) { return p[2] >= height; });
    ray_ball(ray, Vec3<S>{{S(0), S(0), -height}}, s.size[0], hit, [&](const Vec3<S>& p) { return p[2] <= -height; });
    hit.normal = s.mat * hit.normal;
    return hit;
}

// A sphere in coordinates divided by the semi-axes; the normal is the gradient of its equation.
template <class S>
ShapeHit<S> ray_ellipsoid(const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    const LocalRay<S> ray(s, pnt, vec);
    ShapeHit<S> hit;
    S a(0), b(0), c(-1);
    Vec3<S> weight;
    for (int i = 0; i < 3; ++i) {
        weight[i] = safe_divide(S(1), S(s.size[i] * s.size[i]));
        a += weight[i] * ray.vec[i] * ray.vec[i];
        b += weight[i] * ray.vec[i] * ray.pnt[i];
        c += weight[i] * ray.pnt[i] * ray.pnt[i];
    }
    S x0, x1;
    ray_quadratic(a, b, c, x0, x1);
    const S x = select(x0 >= S(0), x0, x1);
    Vec3<S> gradient = ray.at(x);
    for (int i = 0; i < 3; ++i) gradient[i] = gradient[i] * weight[i];
    hit.take(x, s.mat * normalize(gradient), mask_t<S>(true));
    return hit;
}

template <class S>
ShapeHit<S> ray_cylinder(const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    const LocalRay<S> ray(s, pnt, vec);
    ShapeHit<S> hit;
    const auto crosses = abs(ray.vec[2]) > S(minval_v<S>);
    const S inverse = S(1) / select(crosses, ray.vec[2], S(1));
    for (int side = -1; side <= 1; side += 2) {
        const value_t<S> sign = static_cast<value_t<S>>(side);
        const S x = (s.size[1] * sign - ray.pnt[2]) * inverse;
        const Vec3<S> p = ray.at(x);
        hit.take(x, Vec3<S>{{S(0), S(0), S(sign)}}, crosses && p[0] * p[0] + p[1] * p[1] <= s.size[0] * s.size[0]);
    }
    ray_side(ray, s.size[0], s.size[1], hit);
    hit.normal = s.mat * hit.normal;
    return hit;
}

// The faces of a box, in the order -x +x -y +y -z +z; faces[i] is x there or -1.
template <class S>
ShapeHit<S> ray_box(const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec, Vec<S, 6>& faces) {
    const LocalRay<S> ray(s, pnt, vec);
    ShapeHit<S> hit;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const auto crosses = abs(ray.vec[i]) > S(minval_v<S>);
        const S inverse = S(1) / select(crosses, ray.vec[i], S(1));
        for (int side = 0; side < 2; ++side) {
            const value_t<S> sign = side ? 1 : -1;
            const S x = (s.size[i] * sign - ray.pnt[i]) * inverse;
            const Vec3<S> p = ray.at(x);
            const auto inside = crosses && x >= S(0) && abs(p[j]) <= s.size[j] && abs(p[k]) <= s.size[k];
            faces[2 * i + side] = select(inside, x, S(-1));
            hit.take(x, s.mat.column(i) * sign, inside);
        }
    }
    return hit;
}

template <class S>
ShapeHit<S> ray_box(const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    Vec<S, 6> faces;
    return ray_box(s, pnt, vec, faces);
}

// By shape type; meshes, height fields and signed distance fields have functions of their own.
template <class S>
ShapeHit<S> ray_shape(int type, const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    switch (type) {
        case shape::plane: return ray_plane(s, pnt, vec);
        case shape::sphere: return ray_sphere(s, pnt, vec);
        case shape::capsule: return ray_capsule(s, pnt, vec);
        case shape::ellipsoid: return ray_ellipsoid(s, pnt, vec);
        case shape::cylinder: return ray_cylinder(s, pnt, vec);
        case shape::box: return ray_box(s, pnt, vec);
    }
    return {};
}

}  // namespace mjx
