// sdf_contacts: where two signed distance fields overlap, by gradient descent from many starts (mjc_SDF).
//
// Starts are Halton points in the intersection of the two boxes. Each descends the function A + B + |max(A, B)|, whose minimum lies
// deepest in both, then takes a step on max(A, B), whose value there is the distance of the contact. The normal belongs to the
// surface A = B. Starts that end at the same point count once. Frames: x is in the frame of the second field.
#pragma once

#include "mjx/collision/convex_pair.hpp"
#include "mjx/collision/sdf_parts.hpp"

namespace mjx {

// Two fields and the pose of the second's frame in the first's.
template <class T, class First, class Second>
struct SdfPair {
    const First& first;
    const Second& second;
    Vec3<T> pos;
    Mat3<T> mat;

    struct Values {
        T a, b;             // second and first field
        Vec3<T> grad_a, grad_b;  // both in the frame of x
    };
    Values both(const Vec3<T>& x) const {
        Values v;
        v.a = sdf_gradient(second, x, v.grad_a);
        Vec3<T> g;
        v.b = sdf_gradient(first, Vec3<T>(mat * x + pos), g);
        v.grad_b = transpose_mul(mat, g);
        return v;
    }
    void values(const Vec3<T>& x, T& a, T& b) const {
        a = second(x);
        b = first(Vec3<T>(mat * x + pos));
    }
};

// The two functions that are descended.
struct DeepestInBoth {
    template <class T>
    static T value(T a, T b) { return a + b + abs(max(a, b)); }
    template <class T, class V>
    static Vec3<T> gradient(const V& v) {
        return v.grad_a + v.grad_b + (v.a > v.b ? v.grad_a : v.grad_b) * (max(v.a, v.b) > T(0) ? T(1) : T(-1));
    }
};
struct Intersection {
    template <class T>
    static T value(T a, T b) { return max(a, b); }
    template <class T, class V>
    static Vec3<T> gradient(const V& v) { return v.a > v.b ? v.grad_a : v.grad_b; }
};

// Gradient descent with backtracking; the value reached.
template <class Function, class T, class Pair>
T descend(const Pair& pair, Vec3<T>& x, int iterations) {
    T value = T(1e10);
    for (int step = 0; step < iterations; ++step) {
        const auto v = pair.both(x);
        const Vec3<T> gradient = Function::template gradient<T>(v);
        const T square = dot(gradient, gradient), before = Function::value(v.a, v.b);
        if (!(square < T(1e20))) return T(1e10);
        const Vec3<T> start = x;
        T rate = T(2);
        do {
            rate *= T(0.5);
            x = start - gradient * rate;
            T a, b;
            pair.values(x, a, b);
            value = Function::value(a, b);
        } while (rate > T(1e-4) && value - before > T(-0.1) * rate * square);
        if (before < value) break;
    }
    return value;
}

// The Halton sequence in one base.
template <class T>
T halton(int index, int base) {
    T value = T(0), fraction = T(1) / T(base);
    for (; index > 0; index /= base, fraction /= T(base)) value += fraction * T(index % base);
    return value;
}

// A box (centre, half sizes) in some frame, and what it becomes in another.
template <class T>
void frame_box(const Vec6<T>& box, const Vec3<T>& pos, const Mat3<T>& mat, Vec3<T>& low, Vec3<T>& high) {
    const Vec3<T> centre = mat * Vec3<T>{{box[0], box[1], box[2]}} + pos;
    for (int i = 0; i < 3; ++i) {
        const T reach = abs(mat(i, 0)) * box[3] + abs(mat(i, 1)) * box[4] + abs(mat(i, 2)) * box[5];
        low[i] = centre[i] - reach;
        high[i] = centre[i] + reach;
    }
}

// box1 and box2 are centre and half sizes of the geoms' boxes, in their own frames. Contacts in the world, normals from 1 to 2.
template <class T, class First, class Second>
void sdf_contacts(const First& first, const Vec3<T>& pos1, const Mat3<T>& mat1, const Vec6<T>& box1, const Second& second, const Vec3<T>& pos2,
                  const Mat3<T>& mat2, const Vec6<T>& box2, int starts, int iterations, ConvexContacts<T>& out) {
    static_assert(signed_distance_field<First, T> && signed_distance_field<Second, T>,
                  "a signed distance field is callable with a Vec3 of float or double and with a Vec3 of duals");
    const SdfPair<T, First, Second> pair{first, second, transpose_mul(mat1, Vec3<T>(pos2 - pos1)), transpose(mat1) * mat2};
    Vec3<T> low1, high1, low2, high2;
    frame_box(box1, Vec3<T>::zero(), Mat3<T>::identity(), low1, high1);
    frame_box(box2, pair.pos, pair.mat, low2, high2);
    for (int i = 0; i < 3; ++i) {
        low1[i] = max(low1[i], low2[i]);
        high1[i] = min(high1[i], high2[i]);
        if (!(low1[i] <= high1[i])) return;
    }
    Vec3<T> found[max_points];
    int count = 0;
    for (int i = 0; i < starts && out.count < max_points && count < max_points; ++i) {
        Vec3<T> x;
        for (int k = 0; k < 3; ++k) x[k] = low1[k] + (high1[k] - low1[k]) * halton<T>(i, k == 0 ? 2 : k == 1 ? 3 : 5);
        x = transpose_mul(pair.mat, Vec3<T>(x - pair.pos));
        descend<DeepestInBoth>(pair, x, iterations);
        const T dist = descend<Intersection>(pair, x, 1);
        bool known = !(dist <= T(0));
        for (int k = 0; k < count && !known; ++k) known = norm(Vec3<T>(x - found[k])) < T(minval_v<T>);
        if (known) continue;
        found[count++] = x;
        const auto v = pair.both(x);
        T length;
        const Vec3<T> local = normalize(Vec3<T>(normalize(v.grad_a) - normalize(v.grad_b)), length);
        if (!(length >= T(minval_v<T>))) continue;
        const Vec3<T> normal = mat2 * -local;
        out.point[out.count++] = {dist, mat2 * x + pos2 - normal * (T(0.5) * dist), normal};
    }
}

// The first hit of a ray on a field by sphere tracing: steps of the field's value, at most 40. Local frame, unit direction.
template <class T, class F>
T trace_sdf(const F& field, const Vec3<T>& pnt, const Vec3<T>& dir) {
    T x = T(0);
    for (int i = 0; i < 40; ++i) {
        const T step = abs(field(Vec3<T>(pnt + dir * x)));
        x += step;
        if (step < T(1e-7)) return x;
        if (!(step <= T(1e6))) break;
    }
    return T(-1);
}

}  // namespace mjx
