// sdf_points: where two signed distance fields overlap, from many starts: Halton points in the intersection of the two boxes.
//
// The distance of a contact is max(A, B) at its point x, at best minus half the depth of the overlap (where A = B); its normal is that
// of the surface A = B, the difference of the unit gradients. Frames: x is in the frame of the second field.
//
// MuJoCo's search (mjc_SDF), for the fields that it has: steepest descent on A + B + |max(A, B)|. Inside of both this is min(A, B), so
// it does not end midway but where one surface is deepest inside the other and max(A, B) = 0. From there one step is taken on
// max(A, B), of a length 2^-k that must gain a tenth of it. Let the two fields differ by D then: a step of D / 1.1 or less gains
// enough, so one that is longer than half of that is taken, and it gains D / 11 at least and D / 2 at best. Where in between depends on
// how far D is from a power of two: from the deepest points of the surfaces, contacts become 1/11 to 1/2 as deep as the overlap.
//
// Ours, for all other fields: max(A, B) itself by BFGS with a line search for the weak Wolfe conditions, which does not stop at the
// edges of such functions (A. Lewis and M. Overton, Nonsmooth optimization via quasi-Newton methods, 2013). It ends midway.
#pragma once

#include "mjx/collision/convex_pair.hpp"
#include "mjx/collision/sdf_parts.hpp"

namespace mjx::inner {

// Two fields and the pose of the second's frame in the first's.
template <class T, class First, class Second>
struct SdfPair {
    const First& first;
    const Second& second;
    Vec3<T> pos;
    Mat3<T> mat;

    struct Values {
        T a, b;                  // second and first field
        Vec3<T> grad_a, grad_b;  // both in the frame of x
    };
    SdfPair(const First& f1, const Geom<T>& s1, const Second& f2, const Geom<T>& s2)
        : first(f1), second(f2), pos(s1.local(s2.pos)), mat(transpose(s1.mat) * s2.mat) {}
    // Values, and gradients if they are wanted.
    Values at(const Vec3<T>& x, bool gradients) const {
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
T descend(const Pair& pair, bool deepest, Vec3<T>& x, int iterations) {
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

// The least max(A, B) around x, which moves there, on plain numbers. `size` is that of the overlap; 1e-10 of it is not worth a step.
template <class T, class Pair>
[[gnu::cold]] T minimize(const Pair& pair, Vec3<T>& x, const T& size, int evaluations) {
    const auto larger = [&](const Vec3<T>& at, Vec3<T>& slope) {
        const auto v = pair.at(at, true);
        slope = v.a > v.b ? v.grad_a : v.grad_b;
        --evaluations;
        return max(v.a, v.b);
    };
    Vec3<T> gradient, next;
    T value = larger(x, gradient);
    Mat3<T> h = Mat3<T>::identity();  // the inverse of the curvature; at first, steps as long as the way to the surface
    for (int i = 0; i < 3; ++i) h(i, i) = abs(value);
    for (bool first = true; evaluations > 0; first = false) {
        const Vec3<T> way = -(h * gradient);
        const T slope = dot(way, gradient);
        if (!(slope < -size * max(T(1e-10), epsilon_v<T>))) break;
        // between `low`, which gains enough, and `high`, which does not, lies a point where it also has become less steep
        T low = T(0), high = T(0), rate = T(1);
        Vec3<T> gradient_low;
        T value_low = value;
        for (bool found = false; !found && evaluations > 0;) {
            const T reached = larger(Vec3<T>(x + way * rate), next);
            if (reached <= value + slope * (rate * T(1e-4))) {
                low = rate;
                value_low = reached;
                gradient_low = next;
                found = dot(next, way) >= slope * T(0.5);
            } else {
                high = rate;
                found = high < T(1e-6);
            }
            rate = high > T(0) ? (low + high) / 2 : 2 * rate;
        }
        if (!(low > T(0))) break;
        const Vec3<T> step = way * low, change = gradient_low - gradient;
        const T along = dot(step, change);
        x += step;
        value = value_low;
        gradient = gradient_low;
        if (!(along > T(0))) continue;
        for (int i = 0; first && i < 3; ++i) h(i, i) = along / dot(change, change);
        const Vec3<T> hc = h * change;
        const T weight = T(1) + dot(change, hc) / along;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) h(i, j) += (weight * step[i] * step[j] - hc[i] * step[j] - step[i] * hc[j]) / along;
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

// Points inside of both fields, in the frame of the second geom, and their distances.
template <class T>
struct SdfPoints {
    int count = 0;
    Vec3<T> point[max_points];
    T dist[max_points];

    SdfPoints() {}
    bool full() const { return count == max_points; }
    // Of points less than `apart` from each other the deepest counts.
    void take(const Vec3<T>& x, const T& d, const T& apart) {
        int k = 0;
        while (k < count && !(norm(Vec3<T>(x - point[k])) < apart)) ++k;
        if (!(d <= T(0)) || !(dot(x, x) < T(1e20)) || k == max_points || (k < count && !(d < dist[k]))) return;
        count += k == count;
        point[k] = x;
        dist[k] = d;
    }
    // Makes point k a contact, whose normal is against `outwards`, in the frame of the second geom.
    [[gnu::cold]] void make_contact(int k, const Vec3<T>& outwards, const Geom<T>& second, CollisionResult<T>& out) const {
        T length;
        const Vec3<T> normal = second.world_direction(-normalize(outwards, length));
        if (!(length >= T(minval_v<T>)) || !isfinite(value_of(dist[k]))) return;
        out.add(dist[k], second.world(point[k]) - normal * (dist[k] * value_t<T>(0.5)), normal, true);
    }
};

// The search, by MuJoCo's descent or ours. box1 and box2 are centre and half sizes of the geoms' boxes, in their own frames. The size of
// their overlap.
template <class T, class Pair>
[[gnu::cold]] T sdf_points(const Pair& pair, const Vec6<T>& box1, const Vec6<T>& box2, bool ours, int starts, int iterations,
                           SdfPoints<T>& out) {
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
        if (!(size[i] >= T(0))) return T(0);
    }
    const T across = norm(size);
    for (int i = 0; i < starts && !out.full(); ++i) {
        Vec3<T> x;
        for (int k = 0; k < 3; ++k) x[k] = low[k] + size[k] * halton<T>(i, k == 0 ? 2 : k == 1 ? 3 : 5);
        x = transpose_mul(pair.mat, Vec3<T>(x - pair.pos));
        if (!ours) descend(pair, true, x, iterations);
        const T dist = ours ? minimize(pair, x, across, 10 * iterations) : descend(pair, false, x, 1);
        out.take(x, dist, ours ? across * value_t<T>(1e-3) : T(minval_v<T>));
    }
    return across;
}

// Contacts at points of two fields. Where both rise the same way, as under a face that two gears have in common, there is no surface
// between them: no contact of ours, and one along the x axis of the second geom in MuJoCo.
template <class T, class Pair>
void sdf_contacts(const Pair& pair, const SdfPoints<T>& points, bool ours, const Geom<T>& second, CollisionResult<T>& out) {
    for (int k = 0; k < points.count; ++k) {
        const auto v = pair.at(points.point[k], true);
        const Vec3<T> outwards = normalize(v.grad_a) - normalize(v.grad_b);
        points.make_contact(k, ours ? outwards : normalize(outwards), second, out);
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

}  // namespace mjx::inner
