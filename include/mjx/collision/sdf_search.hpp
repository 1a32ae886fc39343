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
    // Values, and gradients if they are wanted.
    [[gnu::cold]] Values at(const Vec3<T>& x, bool gradients) const {
        Values v;
        Vec3<T> g;
        const Vec3<T> y = mat * x + pos;
        v.a = sdf_value(second, x, gradients ? &v.grad_a : nullptr);
        v.b = sdf_value(first, y, gradients ? &g : nullptr);
        if (gradients) v.grad_b = transpose_mul(mat, g);
        return v;
    }
};

// Gradient descent with backtracking, on A + B + |max(A, B)| or on max(A, B); the value reached.
template <class T, class Pair>
[[gnu::cold]] T descend(const Pair& pair, bool deepest, Vec3<T>& x, int iterations) {
    const auto objective = [&](const auto& v) {
        const T larger = max(v.a, v.b);
        return deepest ? v.a + v.b + abs(larger) : larger;
    };
    T value = T(1e10);
    for (int step = 0; step < iterations; ++step) {
        const auto v = pair.at(x, true);
        Vec3<T> gradient = v.a > v.b ? v.grad_a : v.grad_b;
        if (deepest) gradient = v.grad_a + v.grad_b + gradient * (max(v.a, v.b) > T(0) ? T(1) : T(-1));
        const T square = dot(gradient, gradient), before = objective(v);
        if (!(square < T(1e20))) return T(1e10);
        const Vec3<T> start = x;
        T rate = T(2);
        do {
            rate *= T(0.5);
            x = start - gradient * rate;
            value = objective(pair.at(x, false));
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

// Collects contacts as points x in the frame of the second geom; a point that is known already is no new one.
template <class T>
struct SdfContacts {
    const OwnShape<T>& second;
    ConvexContacts<T>& out;
    int count = 0;
    Vec3<T> point[max_points];

    SdfContacts(const OwnShape<T>& s2, ConvexContacts<T>& contacts) : second(s2), out(contacts) {}
    bool full() const { return count == max_points; }
    bool is_new(const Vec3<T>& x, const T& dist) const {
        bool known = !(dist <= T(0));
        for (int k = 0; k < count && !known; ++k) known = norm(Vec3<T>(x - point[k])) < T(minval_v<T>);
        return !known;
    }
    // The normal is against `outwards`, in the same frame.
    [[gnu::cold]] void add(const Vec3<T>& x, const T& dist, const Vec3<T>& outwards) {
        point[count++] = x;
        T length;
        const Vec3<T> normal = second.mat * -normalize(outwards, length);
        if (!(length >= T(minval_v<T>))) return;
        out.point[out.count++] = {dist, second.mat * x + second.pos - normal * (dist * value_t<T>(0.5)), normal};
    }
};

// The fields of two geoms. box1 and box2 are centre and half sizes of their boxes, in their own frames.
template <class T, class First, class Second>
[[gnu::cold]] void sdf_contacts(const First& first, const OwnShape<T>& s1, const Vec6<T>& box1, const Second& second, const Vec6<T>& box2,
                                int starts, int iterations, SdfContacts<T>& out) {
    const OwnShape<T>& s2 = out.second;
    const SdfPair<T, First, Second> pair{first, second, transpose_mul(s1.mat, Vec3<T>(s2.pos - s1.pos)), transpose(s1.mat) * s2.mat};
    Vec3<T> low, size;
    for (int i = 0; i < 3; ++i) {
        // the second box in the frame of the first
        T centre = pair.pos[i], reach = T(0);
        for (int k = 0; k < 3; ++k) {
            centre += pair.mat(i, k) * box2[k];
            reach += abs(pair.mat(i, k)) * box2[3 + k];
        }
        low[i] = max(box1[i] - box1[3 + i], centre - reach);
        size[i] = min(box1[i] + box1[3 + i], centre + reach) - low[i];
        if (!(size[i] >= T(0))) return;
    }
    for (int i = 0; i < starts && !out.full(); ++i) {
        Vec3<T> x;
        for (int k = 0; k < 3; ++k) x[k] = low[k] + size[k] * halton<T>(i, k == 0 ? 2 : k == 1 ? 3 : 5);
        x = transpose_mul(pair.mat, Vec3<T>(x - pair.pos));
        descend(pair, true, x, iterations);
        const T dist = descend(pair, false, x, 1);
        if (!out.is_new(x, dist)) continue;
        const auto v = pair.at(x, true);
        out.add(x, dist, normalize(v.grad_a) - normalize(v.grad_b));
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
