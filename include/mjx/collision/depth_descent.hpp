// Depth by descent: from a direction close to the shortest way out of two overlapping smooth objects to that way itself.
//
// The depth is the least h(n) = <n, s(n)> over unit vectors n, where s(n) is the support point of the Minkowski difference along n.
// s is the gradient of h, so h is stationary on the sphere where s is parallel to n; Newton's method in the plane normal to n goes
// there, with the derivative of s by differences. EPA converges like one over the number of its faces where many directions are
// nearly as deep as the deepest (a sphere in the middle of an ellipsoid): this finishes what it has no room for.
#pragma once

#include "mjx/collision/gjk.hpp"

namespace mjx::inner {

// Improves `normal`, a unit vector, as long as h decreases. True if the end is stationary; `best` is then the support point there.
template <class T, class M>
[[gnu::cold]] bool descend(const M& m, ConvexObject<T>& a, ConvexObject<T>& b, Vec3<T>& normal, MinkowskiVertex<T>& best) {
    const T small = T(1e-6);
    best = minkowski_support(m, a, b, normal);
    T depth = dot(normal, best.vert);
    for (int iteration = 0; iteration < 30; ++iteration) {
        const Mat3<T> frame = contact_frame(normal);
        const Vec3<T> e[2] = {frame.row(1), frame.row(2)};
        const T g[2] = {dot(best.vert, e[0]), dot(best.vert, e[1])};
        if (abs(g[0]) + abs(g[1]) <= T(1e-9) * depth) return true;
        T h[2][2];
        for (int j = 0; j < 2; ++j) {
            const Vec3<T> beside = minkowski_support(m, a, b, normalize(Vec3<T>(normal + e[j] * small))).vert - best.vert;
            for (int i = 0; i < 2; ++i) h[i][j] = dot(e[i], beside) / small - (i == j ? depth : T(0));
        }
        const T det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
        T step[2] = {-g[0] / depth, -g[1] / depth};
        if (det > T(0) && h[0][0] > T(0)) {
            step[0] = (h[0][1] * g[1] - h[1][1] * g[0]) / det;
            step[1] = (h[1][0] * g[0] - h[0][0] * g[1]) / det;
        }
        bool better = false;
        for (int half = 0; half < 30 && !better; ++half) {
            const Vec3<T> next = normalize(Vec3<T>(normal + e[0] * step[0] + e[1] * step[1]));
            const MinkowskiVertex<T> reached = minkowski_support(m, a, b, next);
            better = dot(next, reached.vert) < depth;
            if (better) {
                normal = next;
                best = reached;
                depth = dot(next, reached.vert);
            }
            step[0] *= T(0.5);
            step[1] *= T(0.5);
        }
        if (!better) return abs(g[0]) + abs(g[1]) <= small * depth;
    }
    return false;
}

}  // namespace mjx::inner
