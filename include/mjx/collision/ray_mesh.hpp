// Rays against meshes and height fields, lane by lane (mj_rayMesh, mj_rayHfield).
//
// Every triangle is hit from both sides; the normal is that of its winding, in the world. Which triangle is hit is decided on plain
// numbers; x then depends exactly on the ray and the pose, for duals too. A height field is its surface, its four walls and
// the box below it.
#pragma once

#include "mjx/collision/ray_shape.hpp"
#include "mjx/collision/support.hpp"

namespace mjx::inner {

// A ray in a local frame, with a basis of the plane normal to it.
template <class T>
struct TriangleRay {
    Vec3<T> pnt, vec, b0, b1;

    TriangleRay(const Vec3<T>& p, const Vec3<T>& v) : pnt(p), vec(v) {
        int axis = abs(v[0]) >= abs(v[1]) && abs(v[0]) >= abs(v[2]) ? 0 : abs(v[1]) >= abs(v[2]) ? 1 : 2;
        b0 = {{T(1), T(1), T(1)}};
        b0[axis] = T(0);
        const T square = dot(v, v);
        b1 = normalize(Vec3<T>(b0 + v * (square > T(0) ? -dot(v, b0) / square : T(0))));
        b0 = normalize(cross(b1, v));
    }

    // x and the normal (not of unit length) where the ray meets the triangle; x < 0 if it does not.
    T meet(const Vec3<T>& v0, const Vec3<T>& v1, const Vec3<T>& v2, Vec3<T>& normal) const {
        T p[3][2];
        const Vec3<T>* v[3] = {&v0, &v1, &v2};
        for (int i = 0; i < 3; ++i) {
            const Vec3<T> d = *v[i] - pnt;
            p[i][0] = dot(b0, d);
            p[i][1] = dot(b1, d);
        }
        for (int k = 0; k < 2; ++k)
            if ((p[0][k] > T(0) && p[1][k] > T(0) && p[2][k] > T(0)) || (p[0][k] < T(0) && p[1][k] < T(0) && p[2][k] < T(0))) return T(-1);
        // the origin of the plane in coordinates of the triangle's edges
        const T a00 = p[0][0] - p[2][0], a01 = p[1][0] - p[2][0], a10 = p[0][1] - p[2][1], a11 = p[1][1] - p[2][1];
        const T det = a00 * a11 - a01 * a10;
        if (!(abs(det) >= T(minval_v<T>))) return T(-1);
        const T t0 = (a01 * p[2][1] - a11 * p[2][0]) / det, t1 = (a10 * p[2][0] - a00 * p[2][1]) / det;
        if (!(t0 >= T(0) && t1 >= T(0) && t0 + t1 <= T(1))) return T(-1);
        normal = cross(Vec3<T>(v0 - v2), Vec3<T>(v1 - v2));
        const T slope = dot(vec, normal);
        return abs(slope) < T(minval_v<T>) ? T(-1) : dot(Vec3<T>(v2 - pnt), normal) / slope;
    }
    // Does the ray meet the box within x <= limit (any x >= 0 if limit is negative)?
    bool meets_box(const Vec6<float>& box, T limit) const {
        T near = T(0), far = limit < T(0) ? std::numeric_limits<T>::max() : limit;
        for (int k = 0; k < 3; ++k) {
            const T low = T(box[k]) - pnt[k], high = T(box[3 + k]) - pnt[k];
            if (abs(vec[k]) < T(minval_v<T>)) {
                if (low > T(0) || high < T(0)) return false;
                continue;
            }
            const T a = low / vec[k], b = high / vec[k], slack = T(8) * epsilon_v<T>;
            near = max(near, min(a, b) * (T(1) - slack));
            far = min(far, max(a, b) * (T(1) + slack));
        }
        return near <= far;
    }
};

// The nearest plane hit so far, by a point of it and its normal; local frame.
template <class T>
struct PlaneHit {
    T x = T(-1);
    Vec3<T> point{}, normal{};

    [[gnu::noinline]] void take(T solution, const Vec3<T>& p, const Vec3<T>& n) {
        if (!(solution >= T(0)) || !(x < T(0) || solution < x)) return;
        x = solution;
        point = p;
        normal = n;
    }
};

// The faces of a mesh that a ray may meet, through the tree of boxes.
template <class T, class M>
PlaneHit<T> ray_faces(const M& m, int mesh, const TriangleRay<T>& ray) {
    PlaneHit<T> hit;
    const int first = m.mesh_bvhadr[mesh], count = m.mesh_bvhnum[mesh];
    for (int i = 0; i < count;) {
        const auto& node = m.mesh_bvhnode[first + i];
        if (!ray.meets_box(m.mesh_bvhbox[first + i], hit.x)) {
            i = node[0];
            continue;
        }
        for (int f = node[1]; f < node[1] + node[2]; ++f) {
            Vec3<T> v[3], normal;
            face_corners(m, mesh, f, v);
            const T x = ray.meet(v[0], v[1], v[2], normal);
            hit.take(x, v[2], normal);
        }
        ++i;
    }
    return hit;
}

// Surface and walls of a height field; `walls` are the x at which the ray meets the sides of the box around the surface. Columns run
// along x, rows along y.
template <class T, class M>
PlaneHit<T> ray_surface(const M& m, int id, const TriangleRay<T>& ray, const Vec<T, 6>& walls) {
    PlaneHit<T> hit;
    const int lines[2] = {m.hfield_ncol[id], m.hfield_nrow[id]}, stride[2] = {1, lines[0]};
    if (lines[0] < 2 || lines[1] < 2) return hit;
    const Vec3<T> size{{plain<T>(m.hfield_size[id][0]), plain<T>(m.hfield_size[id][1]), plain<T>(m.hfield_size[id][2])}};
    T enter = T(-1), leave = T(-1);
    for (int i = 0; i < 6; ++i) {
        if (walls[i] < T(0)) continue;
        enter = enter < T(0) ? walls[i] : min(enter, walls[i]);
        leave = max(leave, walls[i]);
    }
    if (leave < T(0)) return hit;
    if (!(enter < leave)) enter = T(0);  // it starts inside
    // cells between the two ends, one to spare
    const Vec3<T> a = ray.pnt + ray.vec * enter, b = ray.pnt + ray.vec * leave;
    T step[2];
    int first[2], last[2];
    for (int k = 0; k < 2; ++k) {
        step[k] = T(2) * size[k] / T(lines[k] - 1);
        first[k] = grid_index(floor((min(a[k], b[k]) + size[k]) / step[k]) - T(1), lines[k] - 1);
        last[k] = grid_index(floor((max(a[k], b[k]) + size[k]) / step[k]) + T(2), lines[k] - 1);
    }
    const auto height = [&](int place) { return static_cast<T>(m.hfield_data[m.hfield_adr[id] + place]); };
    const auto point = [&](int r, int c) {
        return Vec3<T>{{step[0] * T(c) - size[0], step[1] * T(r) - size[1], height(r * stride[1] + c) * size[2]}};
    };
    for (int r = first[1]; r < last[1]; ++r)
        for (int c = first[0]; c < last[0]; ++c) {
            const Vec3<T> p00 = point(r, c), p11 = point(r + 1, c + 1);
            for (int half = 0; half < 2; ++half) {
                const Vec3<T> other = point(r + half, c + 1 - half), &second = half == 0 ? other : p11, &third = half == 0 ? p11 : other;
                Vec3<T> normal;
                hit.take(ray.meet(p00, second, third, normal), third, normal);
            }
        }
    for (int i = 0; i < 4; ++i) {
        if (walls[i] < T(0)) continue;
        const int across = i / 2, along = 1 - across;
        const Vec3<T> p = ray.pnt + ray.vec * walls[i];
        const T at = (p[along] + size[along]) / step[along];
        const int k = grid_index(at, lines[along] - 2), place = k * stride[along] + (i % 2 == 0 ? 0 : lines[across] - 1) * stride[across];
        if (!(p[2] / size[2] < height(place) * (T(k + 1) - at) + height(place + stride[along]) * (at - T(k)))) continue;
        Vec3<T> normal = Vec3<T>::zero();
        normal[across] = i % 2 == 0 ? T(-1) : T(1);
        hit.take(walls[i], p, normal);
    }
    return hit;
}

// Runs find(lane, ray) -> PlaneHit on plain numbers in the lanes of the mask and takes what is nearer than the hit of that lane so far. x
// depends on the derivatives of ray and pose.
template <class S, class Find>
void ray_by_lane(const LocalRay<S>& ray, const mask_t<S>& mask, SurfaceHit<S>& out, Find&& find) {
    using L = lane_t<S>;
    using T = value_t<S>;
    for_each_lane(mask, lanes_v<S>, [&](int k) {
        const Vec3<L> pnt = lane(ray.pnt, k), vec = lane(ray.vec, k);
        const PlaneHit<T> hit = find(k, plain_vec<T>(pnt), plain_vec<T>(vec));
        if (!(hit.x >= T(0))) return;
        L x = L(hit.x);
        if constexpr (!std::is_floating_point_v<L>) x = dot(hit.normal, Vec3<L>(Vec3<L>::from(hit.point) - pnt)) / dot(hit.normal, vec);
        const L before = lane(out.x, k);
        if (!(x >= L(0)) || (before >= L(0) && !(x < before))) return;
        set_lane(out.x, k, x);
        set_lane(out.normal, k, Vec3<L>::from(normalize(hit.normal)));
    });
}

// The box below the surface of a height field, which counts as hit, and the one around it: where the ray meets its walls.
template <class M, class S>
mask_t<S> ray_hfield_boxes(const M& m, int id, const Geom<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec, SurfaceHit<S>& hit,
                           Vec<S, 6>& walls) {
    SurfaceHit<S> top;
    for (int part = 0; part < 2; ++part) {
        const S half = S(m.hfield_size[id][part == 0 ? 3 : 2] * value_t<S>(0.5));
        const Vec3<S> size{{S(m.hfield_size[id][0]), S(m.hfield_size[id][1]), half}};
        const Vec3<S> pos = part == 0 ? Vec3<S>(s.pos - s.axis() * half) : Vec3<S>(s.pos + s.axis() * half);
        Box::ray(local_ray(Geom<S>{pos, s.mat, size}, pnt, vec), size, part == 0 ? hit : top, walls);
    }
    return top.x >= S(0);
}

}  // namespace mjx::inner
