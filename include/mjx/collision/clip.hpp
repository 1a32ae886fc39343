// Clipping one convex polygon by the sides of another, and choosing four points of a patch that span it best.
//
// Points are in the world. Sides are planes through the edges of the clipping polygon along its normal (Sutherland, Hodgman 1974).
#pragma once

#include "mjx/collision/gjk.hpp"

namespace mjx::inner {

// Up to P points.
template <class T, int P>
struct Polygon {
    static constexpr int capacity = P;
    Vec3<T> point[P];
    int count = 0;

    void add(const Vec3<T>& p) {
        if (count < P) point[count++] = p;
    }
    const Vec3<T>& after(int i) const { return point[i + 1 < count ? i + 1 : 0]; }
};

template <class T>
T quad_area(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
    return T(0.5) * norm(cross(Vec3<T>(a - c), Vec3<T>(b - d)));
}

// The same with a and b, c and d opposite each other, as two triangles: patches of parallel edges have many quadrilaterals of this area,
// and rounding chooses among them.
template <class T>
T crossed_area(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
    return T(0.5) * norm(cross(Vec3<T>(d - a), Vec3<T>(b - d)) + cross(Vec3<T>(c - b), Vec3<T>(a - c)));
}

// What MuJoCo does with a patch of more than four corners.
struct QuadRule {
    bool keep_first = false;  // with planes: the first corner stays, the others go as far as that enlarges the quadrilateral
    bool crossed = false;  // before 3.13: corners 0 and 1, 2 and 3 are taken for opposite ones, where neighbours are
};

// The quadrilateral of greatest area with corners among those of a convex polygon of five or more: a caliper that turns once.
template <class T, int P>
void largest_quad(const Polygon<T, P>& p, int* best, QuadRule rule = {}) {
    const int n = p.count;
    int corner[4] = {0, 1, 2, 3};
    const auto next = [&](int i) { return i + 1 == n ? 0 : i + 1; };
    const auto area = [&] {
        const Vec3<T>&a = p.point[corner[0]], &b = p.point[corner[1]], &c = p.point[corner[2]], &d = p.point[corner[3]];
        return rule.crossed ? crossed_area(a, b, c, d) : quad_area(a, b, c, d);
    };
    for (int i = 0; i < 4; ++i) best[i] = corner[i];
    T most = area();
    // moves a corner on as long as that enlarges the area; each success is a new best
    const auto advance = [&](int which) {
        const int before = corner[which];
        corner[which] = next(before);
        const T larger = area();
        if (!(larger > most)) {
            corner[which] = before;
            return false;
        }
        most = larger;
        for (int i = 0; i < 4; ++i) best[i] = corner[i];
        return true;
    };
    for (const int last = rule.keep_first ? 1 : n; corner[0] < last; ++corner[0]) {
        for (int moves = 0; moves < n && advance(3); ++moves) {
            for (int which = 2; which > 0; --which)
                for (int i = 0; i < n && advance(which); ++i) {
                }
        }
        if (corner[1] == corner[0]) {
            corner[1] = next(corner[1]);
            if (corner[2] == corner[1]) {
                corner[2] = next(corner[2]);
                if (corner[3] == corner[2]) corner[3] = next(corner[3]);
            }
        }
    }
}

// What is left of a polygon, from its corner `start` on, where a side of a frame goes through it: the plane of points x with side x =
// offset. The corners of `inside` stay.
template <class T, int R>
void cut_polygon(const Polygon<T, R>& from, int start, const bool (&inside)[R], const Vec3<T>& side, const T& offset, Polygon<T, R>& to) {
    to.count = 0;
    for (int k = 0, i = start; k < from.count; ++k) {
        const int next = i + 1 < from.count ? i + 1 : 0;
        const Vec3<T>&p = from.point[i], &q = from.point[next];
        if (inside[i] != inside[next]) {
            const Vec3<T> pq = q - p;
            const T slope = dot(side, pq);
            const T t = slope != T(0) ? (offset - dot(side, p)) / slope : T(-1);
            if (t >= T(0) && t <= T(1)) to.add(p + pq * t);
        }
        if (inside[next]) to.add(q);
        i = next;
    }
}

// What is left of `subject` between the sides of `frame`, whose normal is `normal`, and not above its plane.
template <class T, int P, int R>
void clip_polygon(const Polygon<T, P>& frame, const Vec3<T>& normal, const Polygon<T, P>& subject, Polygon<T, R>& out) {
    Polygon<T, R> other;
    Polygon<T, R>*from = &out, *to = &other;
    int start = 0;  // the polygon's first corner: each side turns it by one
    bool inside[R];
    from->count = 0;
    for (int i = 0; i < subject.count; ++i) from->add(subject.point[i]);
    for (int e = 0; e < frame.count; ++e) {
        const Vec3<T>& origin = frame.point[e];
        const Vec3<T> tip = origin + normal;
        const Vec3<T> side = normalize(cross(Vec3<T>(frame.after(e) - origin), Vec3<T>(tip - origin)));
        bool whole = true;
        for (int i = 0; i < from->count; ++i) {
            inside[i] = dot(Vec3<T>(from->point[i] - origin), side) > T(-minval_v<T>);
            whole = whole & inside[i];
        }
        if (whole) {
            start = start + 1 < from->count ? start + 1 : 0;
            continue;
        }
        cut_polygon(*from, start, inside, side, dot(side, origin), *to);
        start = 0;
        Polygon<T, R>* const swap = from;
        from = to;
        to = swap;
    }
    // in place if it is `out` from its first corner on
    Polygon<T, R>& kept = from == &out && start == 0 ? out : *to;
    const int n = from->count;
    kept.count = 0;
    for (int k = 0, i = start; k < n; ++k, i = i + 1 < n ? i + 1 : 0) {
        const Vec3<T> p = from->point[i];
        if (dot(Vec3<T>(p - frame.point[0]), normal) <= T(0)) kept.point[kept.count++] = p;
    }
    if (&kept != &out) {
        for (int i = 0; i < kept.count; ++i) out.point[i] = kept.point[i];
        out.count = kept.count;
    }
}

}  // namespace mjx::inner
