// The point of a simplex closest to the origin, by signed volumes: the distance subalgorithm of GJK.
//
// Barycentric coordinates come out of cofactors of the smallest projection of the simplex, which keeps their signs right for flat
// simplices (Montanari, Petrinic, Barbieri, Improving the GJK Algorithm for Faster and More Reliable Distance Queries, ToG 2017).
// Coordinates of vertices that are not needed are exactly 0.
#pragma once

#include "mjx/math/quad.hpp"
#include "mjx/math/vec.hpp"

#include <cstring>
#include <limits>

namespace mjx::inner {

// A point or direction that passes from one function to the next through memory. It is written in one piece: read again in other
// pieces than it was written in, a vector keeps the processor waiting until it has reached the cache.
template <class T>
struct alignas(4 * sizeof(T)) Point : Vec3<T> {
    T rest;  // of the register

    void set(T x, T y, T z) {
        const quad<T> all{x, y, z, T(0)};
        put(all);
    }
    Point& operator=(const Vec3<T>& v) {
        set(v[0], v[1], v[2]);
        return *this;
    }
    void set_difference(const Point& a, const Point& b) {
        quad<T> x, y;
        std::memcpy(&x, &a, sizeof x);
        std::memcpy(&y, &b, sizeof y);
        put(x - y);
    }

  private:
    void put(const quad<T>& all) { std::memcpy(static_cast<void*>(this), &all, sizeof all); }
};

// A point of the Minkowski difference of two objects, and the points it came from.
template <class T>
struct MinkowskiVertex {
    Point<T> vert;          // vert1 - vert2
    Point<T> vert1, vert2;  // on object 1 and 2
    int index1, index2;    // their vertices, where the objects have any
};

template <class T>
T determinant(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// The origin projected on the plane of three points; false if they are on a line. Of the three ways to write the normal the first
// one that does not vanish is taken; nearly always it is the very first.
template <class T>
[[gnu::cold]] bool project_origin_otherwise(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, Vec3<T>& projection) {
    const Vec3<T> way[2][3] = {{b - a, c - a, a}, {c - a, c - b, c}};
    for (int i = 0; i < 2; ++i) {
        const Vec3<T> normal = cross(way[i][0], way[i][1]);
        const T along = dot(normal, way[i][2]), square = dot(normal, normal);
        if (square == T(0)) return false;
        if (i == 0 && !(along != T(0) && square > T(minval_v<T>))) continue;
        projection = normal * (along / square);
        return true;
    }
    return false;
}
template <class T>
[[gnu::always_inline]] inline bool project_origin(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, Vec3<T>& projection) {
    const Vec3<T> normal = cross(Vec3<T>(c - b), Vec3<T>(b - a));
    const T along = dot(normal, b), square = dot(normal, normal);
    if (square == T(0)) return false;
    if (!(along != T(0) && square > T(minval_v<T>))) return project_origin_otherwise(a, b, c, projection);
    projection = normal * (along / square);
    return true;
}

// The signed size of the triangle a, b, c in the two coordinates that see it largest, and of its parts pbc, pca, pab there.
template <class T>
[[gnu::noinline]] T triangle_parts(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& p, T (&part)[3]) {
    const auto minor = [&](int i, int j) { return b[i] * c[j] - b[j] * c[i] - a[i] * c[j] + a[j] * c[i] + a[i] * b[j] - a[j] * b[i]; };
    const T m0 = minor(1, 2), m1 = minor(0, 2), m2 = minor(0, 1);
    const int without = abs(m0) >= abs(m1) && abs(m0) >= abs(m2) ? 0 : abs(m1) >= abs(m2) ? 1 : 2;
    const int x = without == 0 ? 1 : 0, y = without == 2 ? 1 : 2;
    const Vec3<T>* corner[3] = {&a, &b, &c};
    for (int i = 0; i < 3; ++i) {
        const Vec3<T>&q = *corner[(i + 1) % 3], &r = *corner[(i + 2) % 3];
        part[i] = p[x] * q[y] + p[y] * r[x] + q[x] * r[y] - p[x] * r[y] - p[y] * q[x] - r[x] * q[y];
    }
    return without == 0 ? m0 : without == 1 ? m1 : m2;
}

template <class T>
constexpr bool same_sign(T a, T b) {
    return (a > T(0) && b > T(0)) || (a < T(0) && b < T(0));
}

// The two coordinates on a segment.
template <class T>
struct OnSegment {
    T first, second;
};
template <class T>
OnSegment<T> closest_on_segment(const Vec3<T>& a, const Vec3<T>& b) {
    const Vec3<T> ba = b - a;
    const T scale = -(dot(b, ba) / dot(ba, ba));
    const Vec3<T> p = b + ba * scale;
    int axis = 0;
    for (int i = 1; i < 3; ++i)
        if (abs(a[i] - b[i]) >= abs(a[axis] - b[axis])) axis = i;
    const T length = a[axis] - b[axis], first = p[axis] - b[axis], second = a[axis] - p[axis];
    const bool inside = same_sign(length, first) && same_sign(length, second);
    return {inside ? first / length : T(0), inside ? second / length : T(1)};
}

template <class T>
void closest_on_triangle(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, T* lambda) {
    const Vec3<T>* corner[3] = {&a, &b, &c};
    Vec3<T> p;
    if (!project_origin(a, b, c, p)) {
        const OnSegment<T> pair = closest_on_segment(a, b);
        lambda[0] = pair.first;
        lambda[1] = pair.second;
        lambda[2] = T(0);
        return;
    }
    T part[3];
    const T size = triangle_parts(a, b, c, p, part);
    bool inside[3];
    for (int i = 0; i < 3; ++i) inside[i] = same_sign(size, part[i]);
    if (inside[0] && inside[1] && inside[2]) {
        for (int i = 0; i < 3; ++i) lambda[i] = part[i] / size;
        return;
    }
    T least = std::numeric_limits<T>::max();
    for (int i = 0; i < 3; ++i) lambda[i] = T(0);
    for (int i = 0; i < 3; ++i) {
        if (inside[i]) continue;
        const int j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
        const OnSegment<T> pair = closest_on_segment(*corner[j], *corner[k]);
        const Vec3<T> x = *corner[j] * pair.first + *corner[k] * pair.second;
        const T square = dot(x, x);
        if (!(square < least)) continue;
        least = square;
        lambda[i] = T(0);
        lambda[j] = pair.first;
        lambda[k] = pair.second;
    }
}

template <class T>
void closest_on_tetrahedron(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d, T (&lambda)[4]) {
    const Vec3<T>* corner[4] = {&a, &b, &c, &d};
    const T part[4] = {-determinant(b, c, d), determinant(a, c, d), -determinant(a, b, d), determinant(a, b, c)};
    const T volume = part[0] + part[1] + part[2] + part[3];
    bool inside[4];
    for (int i = 0; i < 4; ++i) inside[i] = same_sign(volume, part[i]);
    if (inside[0] && inside[1] && inside[2] && inside[3]) {
        for (int i = 0; i < 4; ++i) lambda[i] = part[i] / volume;
        return;
    }
    T least = std::numeric_limits<T>::max();
    for (int i = 0; i < 4; ++i) {
        if (inside[i]) continue;
        int rest[3], n = 0;
        for (int j = 0; j < 4; ++j)
            if (j != i) rest[n++] = j;
        T triple[3];
        closest_on_triangle(*corner[rest[0]], *corner[rest[1]], *corner[rest[2]], triple);
        const Vec3<T> x = *corner[rest[0]] * triple[0] + *corner[rest[1]] * triple[1] + *corner[rest[2]] * triple[2];
        const T square = dot(x, x);
        if (!(square < least)) continue;
        least = square;
        lambda[i] = T(0);
        for (int j = 0; j < 3; ++j) lambda[rest[j]] = triple[j];
    }
}

// Barycentric coordinates of the point of an n-vertex simplex closest to the origin.
template <class T>
void closest_on_simplex(const MinkowskiVertex<T> (&s)[4], int n, T (&lambda)[4]) {
    for (T& l : lambda) l = T(0);
    if (n == 1) {
        lambda[0] = T(1);
    } else if (n == 2) {
        const OnSegment<T> pair = closest_on_segment<T>(s[0].vert, s[1].vert);
        lambda[0] = pair.first;
        lambda[1] = pair.second;
    } else if (n == 3) {
        closest_on_triangle<T>(s[0].vert, s[1].vert, s[2].vert, lambda);
    } else {
        closest_on_tetrahedron<T>(s[0].vert, s[1].vert, s[2].vert, s[3].vert, lambda);
    }
}

}  // namespace mjx::inner
