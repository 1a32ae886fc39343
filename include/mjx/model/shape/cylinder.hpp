// Cylinder: along z, with flat ends. Sizes: radius, half length.
#pragma once

#include "mjx/model/shape/capsule.hpp"

namespace mjx::inner {

struct Cylinder : ShapeTraits {
    static constexpr int type = shape::cylinder, sizes = 2, length_size = 1, cable_size = 1;
    static constexpr const char* name = "cylinder";
    static constexpr int tendon_wrap = wrap::cylinder;
    static constexpr bool faced = true;

    template <class R>
    static R volume(const Vec3<R>& size, bool shell) {
        const R r = size[0], height = R(2) * size[1], pi(std::numbers::pi_v<value_t<R>>);
        return shell ? R(2) * pi * r * r + R(2) * pi * r * height : pi * r * r * height;
    }
    template <class R>
    static Vec3<R> inertia(const R& mass, const Vec3<R>& size, bool shell) {
        const R r = size[0], half = size[1], height = R(2) * half;
        if (!shell) {
            const R across = mass * (R(3) * r * r + height * height) / R(12);
            return {{across, across, mass * r * r / R(2)}};
        }
        const R disk = mass * r / (R(2) * r + R(2) * height), side = mass - R(2) * disk;
        const R across = side * (R(6) * r * r + height * height) / R(12) + R(2) * disk * (r * r / R(4) + half * half);
        return {{across, across, side * r * r + disk * r * r}};
    }
    template <class R>
    static R radius(const Vec3<R>& size) {
        return sqrt(R(size[0] * size[0] + size[1] * size[1]));
    }
    template <class R>
    static constexpr Vec3<R> half_sizes(const Vec3<R>& size) {
        return {{size[0], size[0], size[1]}};
    }
    static Vec3<double> section(const Vec3<double>& size) { return Capsule::section(size); }
    static Vec3<double> fitted(const Vec3<double>& half, bool box) {
        return {{box ? std::max(half[0], half[1]) : (half[0] + half[1]) / 2, half[2], 0}};
    }

    template <class T>
    static Vec3<T> support(const Vec3<T>& size, const Vec3<T>& dir) {
        const T square = dir[0] * dir[0] + dir[1] * dir[1];
        const T scale = square >= T(minval_v<T> * minval_v<T>) ? size[0] / sqrt(square) : T(0);
        return {{scale * dir[0], scale * dir[1], dir[2] >= T(0) ? size[1] : -size[1]}};
    }
    template <class M, class Object, class T>
    static Vec3<T> vertex_support(const M&, Object& o, const Vec3<T>& dir) {
        o.vertex = dir[2] >= T(0) ? 0 : 1;
        return support(o.size, dir);
    }

    // As a body with faces, in its place o: the upper and the lower end (0, 1), for contacts regular polygons of 16 corners, clockwise seen
    // from outside. A vertex that GJK found is numbered by its end alone: its edge is the line along the side from there.
    static constexpr int corners = 16, corners_of_face = corners;
    template <class M, class Object>
    static auto vertex(const M&, const Object& o, int index) {
        using T = std::remove_cvref_t<decltype(o.size[0])>;
        using V = value_t<T>;
        struct Cosines {
            V of[corners];
        };
        constexpr Cosines cosine = [] {
            // to fifteen digits as in MuJoCo: of the equally large patches of two round ends, rounding chooses
            constexpr double digits[corners] = {1,  0.923879532511287,  0.707106781186548,  0.382683432365090,
                                                0,  -0.382683432365090, -0.707106781186547, -0.923879532511287,
                                                -1, -0.923879532511287, -0.707106781186548, -0.382683432365090,
                                                0,  0.382683432365090,  0.707106781186547,  0.923879532511287};
            Cosines table{};
            for (int i = 0; i < corners; ++i) table.of[i] = static_cast<V>(digits[i]);
            return table;
        }();
        const int k = index % corners;
        const T up = index < corners ? T(1) : T(-1), r = o.size[0];
        return Vec3<T>{{T(cosine.of[k]) * r, -T(cosine.of[(k + 12) % corners]) * r * up, up * o.size[1]}};
    }
    template <class M, class Object>
    static auto face_normal(const M&, const Object& o, int face) {
        const auto axis = o.mat.column(2);
        return face == 0 ? axis : -axis;
    }
    template <class M, class Object>
    static int face_size(const M&, const Object&, int) {
        return corners;
    }
    template <class M, class Object>
    static int face_vertex(const M&, const Object&, int face, int k) {
        return corners * face + k;
    }
    template <class Object, class T>
    static Vec3<T> side_end(const Object& o, int end, const Vec3<T>& start) {
        return start + o.mat.column(2) * ((end == 0 ? T(-2) : T(2)) * o.size[1]);
    }
    template <class Feature, class T, class Faces>
    static void find_faces(const Feature& f, const Vec3<T>&, Faces& found) {
        if (f.dim == 1) found.face[found.count++] = f.index[0];
    }
    // The point of the side at p's height, where its normal is nearest to n: it stays there when the cylinder rolls.
    template <class T, class L>
    static Vec3<L> roll(const Vec3<T>& p, const Vec3<T>& plain_size, const Vec3<L>& size, const Vec3<L>& n) {
        const Vec3<L> out = normalize(Vec3<L>{{n[0], n[1], L(0)}}) * size[0];
        return {{out[0], out[1], size[1] * (p[2] / plain_size[1])}};
    }

    template <class S>
    static void ray(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit) {
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
    template <class S, class R>
    static mask_t<S> inside(const Vec3<R>& size, const Vec3<S>& p) {
        const S across = p[0] * p[0] + p[1] * p[1], r(size[0]);
        return abs(p[2]) < S(size[1]) && across < r * r;
    }
    template <class T>
    static T distance(const Vec3<T>& size, bool, const Vec3<T>& p, Vec3<T>* gradient) {
        return sdf::Cylinder<T>{size[0], size[1]}.distance(p, gradient);
    }

    // An end is a face, the side an edge with a radius, the rim bends about the axis alone.
    template <class T>
    static SurfaceShifts<T> shifts(const Vec3<T>& size, const SurfacePoint<T>& at) {
        using Shifts = SurfaceShifts<T>;
        const Vec3<T>&n = at.n, &s = at.s, &t = at.t;
        const T across = sqrt(n[0] * n[0] + n[1] * n[1]), radius = size[0] * at.along, straight = T(1e-5);
        if (across < straight) return Shifts::face();
        if (abs(n[2]) < straight) return Shifts::edge(s[2], t[2], radius);
        const T a = (n[0] * s[1] - n[1] * s[0]) / across, b = (n[0] * t[1] - n[1] * t[0]) / across, rim = radius / across;
        return Shifts::curved(rim * a * a, rim * a * b, rim * b * b);
    }
    template <class T, class L>
    static Vec3<L> grow(const Vec3<T>& p, const Vec3<L>& size) {
        return Capsule::grow(p, size);
    }
};

}  // namespace mjx::inner
