// moving_minimum: how the least max(A, B) of two fields, found on plain numbers, moves with the poses and sizes of the geoms.
//
// Around the minimum x the larger field is made of pieces f_i: A and B, and more where x lies on an edge of a field. They are seen at
// points a little way off. With weights w_i >= 0 that sum to 1 and sum w_i grad f_i = 0 (the least convex combination of the gradients),
//   the value moves like sum w_i f_i at the fixed point (envelope theorem);
//   within the span of the gradients x moves so that all pieces stay equal;
//   across it, so that sum w_i grad f_i stays zero, by the curvature of the pieces. Where they are flat it does not slide.
// (The implicit function theorem for the conditions of a minimum of a maximum.) The curvature comes from differences, and the step is
// repeated with its own derivatives, which squares their error. That of the points off x remains: 1e-5 of the radii of curvature.
#pragma once

#include "mjx/collision/sdf_search.hpp"

namespace mjx::inner {

template <class Real>
struct SdfPiece {
    Vec3<Real> offset, gradient;
    bool second;
    Real weight = Real(0);
};

// The solution of a x = b.
template <class Real, class T>
Vec3<T> solve3(const Mat3<Real>& a, const Vec3<T>& b) {
    const Vec3<Real> c0 = cross(a.row(1), a.row(2)), c1 = cross(a.row(2), a.row(0)), c2 = cross(a.row(0), a.row(1));
    return (c0 * b[0] + c1 * b[1] + c2 * b[2]) * (Real(1) / dot(a.row(0), c0));
}

// Weighs the pieces so that the sum of their gradients is least, moving weight from the worst to the best.
template <class Real>
void weigh_pieces(SdfPiece<Real>* piece, int count) {
    piece[0].weight = Real(1);
    Vec3<Real> sum = piece[0].gradient;
    for (int step = 0; step < 500; ++step) {
        int best = 0, worst = -1;
        for (int i = 0; i < count; ++i) {
            if (dot(piece[i].gradient, sum) < dot(piece[best].gradient, sum)) best = i;
            if (piece[i].weight > Real(0) && (worst < 0 || dot(piece[i].gradient, sum) > dot(piece[worst].gradient, sum))) worst = i;
        }
        const Vec3<Real> change = piece[best].gradient - piece[worst].gradient;
        const Real gain = -dot(change, sum), square = dot(change, change);
        if (!(gain > Real(1e-15)) || !(square > Real(0))) return;
        const Real moved = min(piece[worst].weight, gain / square);
        piece[worst].weight -= moved;
        piece[best].weight += moved;
        sum += change * moved;
    }
}

// The gradient of one of the two fields, from what the pair says at a point.
template <class V>
auto piece_gradient(const V& v, bool second) {
    return second ? v.grad_a : v.grad_b;
}

// The pieces that make the maximum around the minimum, seen from points a step h off it along the rows of the frame; their number.
template <class Real, class Still>
int find_pieces(const Still& still, const Vec3<Real>& at, Real dist, Real h, const Mat3<Real>& frame, SdfPiece<Real> (&piece)[14]) {
    int count = 0;
    for (int k = 0; k < 7; ++k) {
        const Vec3<Real> offset = k == 0 ? Vec3<Real>::zero() : Vec3<Real>(frame.row((k - 1) / 2) * (k % 2 == 0 ? h : -h));
        const auto v = still.at(Vec3<Real>(at + offset), true);
        for (bool second : {false, true})
            if (abs((second ? v.a : v.b) - dist) < 5 * h) piece[count++] = {offset, piece_gradient(v, second), second};
    }
    return count;
}

// The conditions of the minimum: the span of the gradients, `along`, the rest, `across`, and what multiplies the conditions in each.
template <class Real>
struct SdfConditions {
    Mat3<Real> along = Mat3<Real>::zero(), across = Mat3<Real>::identity(), held, curvature = Mat3<Real>::zero(), bent, normal;

    template <class Still>
    SdfConditions(const Still& still, const Vec3<Real>& at, Real size, Real h, const Mat3<Real>& frame, const SdfPiece<Real>* piece,
                  int count) {
        Mat3<Real> equal = Mat3<Real>::zero();
        for (int i = 0; i < count; ++i) {
            const SdfPiece<Real>& p = piece[i];
            if (!(p.weight > Real(1e-6))) continue;
            const Vec3<Real> rest = p.gradient - along * p.gradient;
            const Real length = norm(rest);
            if (length > Real(1e-2)) add_outer(along, rest, rest, Real(1) / (length * length));
            add_outer(equal, p.gradient, p.gradient, p.weight);
            for (int k = 0; k < 3; ++k) {
                const Vec3<Real> step = frame.row(k) * (h * Real(1e-2)), y = at + p.offset;
                const Vec3<Real> change = piece_gradient(still.at(Vec3<Real>(y + step), true), p.second) -
                                          piece_gradient(still.at(Vec3<Real>(y - step), true), p.second);
                add_outer(curvature, change, frame.row(k), p.weight / (Real(2e-2) * h));
            }
        }
        held = along * equal * along;
        for (int i = 0; i < 9; ++i) across[i] -= along[i];
        bent = across * curvature * across;
        normal = transpose(bent) * bent;
        for (int i = 0; i < 9; ++i) {
            held[i] += across[i];
            normal[i] += along[i] + across[i] * (Real(1e-12) / (size * size));  // damped where it is flatter than a million sizes
        }
    }
    static void add_outer(Mat3<Real>& to, const Vec3<Real>& a, const Vec3<Real>& b, Real scale) {
        for (int i = 0; i < 9; ++i) to[i] += scale * a[i / 3] * b[i % 3];
    }
};

// T is a dual; `still` is the pair of plain numbers on which the minimum `dist` was found at `at`, `size` the extent of the overlap.
template <class T, class Pair, class Still>
T moving_minimum(const Pair& pair, const Still& still, const Vec3<value_t<T>>& at, value_t<T> dist, value_t<T> size, Vec3<T>& x) {
    using Real = value_t<T>;
    const auto moved = [](const T& y) { return T(y - T(static_cast<Real>(value_of(y)))); };
    x = Vec3<T>::from(at);
    const Real h = Real(1e-5) * size;
    if (!(h * h > std::numeric_limits<Real>::min())) return T(dist);
    const Mat3<Real> frame = contact_frame(Vec3<Real>{{Real(0.48), Real(0.6), Real(0.64)}});  // askew of the edges that geoms have
    SdfPiece<Real> piece[14];
    const int count = find_pieces(still, at, dist, h, frame, piece);
    if (count == 0) return T(dist);
    weigh_pieces(piece, count);
    const SdfConditions<Real> of(still, at, size, h, frame, piece, count);
    T value;
    for (int repeat = 0; repeat < 3; ++repeat) {
        T values[14];
        Vec3<T> unequal = Vec3<T>::zero(), slope = Vec3<T>::zero();
        value = T(0);
        for (int i = 0; i < count; ++i) {
            if (!(piece[i].weight > Real(1e-6))) continue;
            const auto v = pair.at(Vec3<T>(x + piece[i].offset), true);
            values[i] = moved(piece[i].second ? v.a : v.b);
            value += values[i] * piece[i].weight;
            for (int k = 0; k < 3; ++k) slope[k] += moved(piece_gradient(v, piece[i].second)[k]) * piece[i].weight;
        }
        for (int i = 0; i < count; ++i)
            if (piece[i].weight > Real(1e-6)) unequal += piece[i].gradient * T((values[i] - value) * piece[i].weight);
        const Vec3<T> kept_equal = solve3(of.held, Vec3<T>(of.along * unequal));
        slope -= of.curvature * kept_equal;
        x -= kept_equal + solve3(of.normal, Vec3<T>(transpose(of.bent) * Vec3<T>(of.across * slope)));
    }
    if (!isfinite(T(dot(x, x) + value))) {  // a field without a derivative here
        x = Vec3<T>::from(at);
        value = T(0);
    }
    return dist + value;
}

}  // namespace mjx::inner
