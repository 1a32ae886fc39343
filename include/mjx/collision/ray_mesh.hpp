// Rays against meshes and height fields, lane by lane (mj_rayMesh, mj_rayHfield).
//
// Every triangle is hit from both sides; the normal is that of its winding, in the world. Which triangle is hit is decided on plain
// numbers; x then depends exactly on the ray and the pose, for duals too. A height field is its surface, its four walls and
// the box below it.
#pragma once

#include "mjx/collision/ray_shape.hpp"
#include "mjx/collision/support.hpp"

namespace mjx {

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
            if ((p[0][k] > T(0) && p[1][k] > T(0) && p[2][k] > T(0)) || (p[0][k] < T(0) && p[1][k] < T(0) && p[2][k] < T(0)))
                return T(-1);
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

    void take(T solution, const Vec3<T>& p, const Vec3<T>& n) {
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
    const int first = m.mesh_bvhadr[mesh], count = m.mesh_bvhnum[mesh], vert = m.mesh_vertadr[mesh], faces = m.mesh_faceadr[mesh];
    for (int i = 0; i < count;) {
        const auto& node = m.mesh_bvhnode[first + i];
        if (!ray.meets_box(m.mesh_bvhbox[first + i], hit.x)) {
            i = node[0];
            continue;
        }
        for (int f = faces + node[1]; f < faces + node[1] + node[2]; ++f) {
            Vec3<T> v[3], normal;
            for (int k = 0; k < 3; ++k) v[k] = plain_vec<T>(m.mesh_vert[vert + m.mesh_face[f][k]]);
            const T x = ray.meet(v[0], v[1], v[2], normal);
            hit.take(x, v[2], normal);
        }
        ++i;
    }
    return hit;
}

// Surface and walls of a height field; `walls` are the x at which the ray meets the sides of the box around the surface.
template <class T, class M>
PlaneHit<T> ray_surface(const M& m, int id, const TriangleRay<T>& ray, const Vec<T, 6>& walls) {
    PlaneHit<T> hit;
    const int nrow = m.hfield_nrow[id], ncol = m.hfield_ncol[id], adr = m.hfield_adr[id];
    const T sx = plain<T>(m.hfield_size[id][0]), sy = plain<T>(m.hfield_size[id][1]), sz = plain<T>(m.hfield_size[id][2]);
    if (nrow < 2 || ncol < 2) return hit;
    const T dx = T(2) * sx / T(ncol - 1), dy = T(2) * sy / T(nrow - 1);
    T enter = T(-1), leave = T(-1);
    for (int i = 0; i < 6; ++i) {
        if (walls[i] < T(0)) continue;
        enter = enter < T(0) ? walls[i] : min(enter, walls[i]);
        leave = max(leave, walls[i]);
    }
    if (leave < T(0)) return hit;
    if (!(enter < leave)) enter = T(0);  // it starts inside
    // cells between the two ends, one to spare
    const auto cell = [](T at, int count, int spare) { return grid_index(floor(at) + T(spare), count - 1); };
    const Vec3<T> a = ray.pnt + ray.vec * enter, b = ray.pnt + ray.vec * leave;
    const int cmin = cell((min(a[0], b[0]) + sx) / dx, ncol, -1), cmax = cell((max(a[0], b[0]) + sx) / dx, ncol, 2);
    const int rmin = cell((min(a[1], b[1]) + sy) / dy, nrow, -1), rmax = cell((max(a[1], b[1]) + sy) / dy, nrow, 2);
    const auto height = [&](int r, int c) { return static_cast<T>(m.hfield_data[adr + r * ncol + c]); };
    const auto point = [&](int r, int c) { return Vec3<T>{{dx * T(c) - sx, dy * T(r) - sy, height(r, c) * sz}}; };
    for (int r = rmin; r < rmax; ++r)
        for (int c = cmin; c < cmax; ++c) {
            const Vec3<T> p00 = point(r, c), p11 = point(r + 1, c + 1);
            Vec3<T> normal;
            T x = ray.meet(p00, point(r, c + 1), p11, normal);
            hit.take(x, p11, normal);
            x = ray.meet(p00, p11, point(r + 1, c), normal);
            hit.take(x, point(r + 1, c), normal);
        }
    for (int i = 0; i < 4; ++i) {
        const T x = walls[i];
        if (x < T(0)) continue;
        const Vec3<T> p = ray.pnt + ray.vec * x;
        const int across = i < 2 ? 1 : 0, count = i < 2 ? nrow : ncol;
        const T at = i < 2 ? (p[1] + sy) / dy : (p[0] + sx) / dx;
        const int k = grid_index(at, count - 2);
        const int edge = i == 1 ? ncol - 1 : i == 3 ? nrow - 1 : 0;
        const T z0 = across == 1 ? height(k, edge) : height(edge, k), z1 = across == 1 ? height(k + 1, edge) : height(edge, k + 1);
        if (!(p[2] / sz < z0 * (T(k + 1) - at) + z1 * (at - T(k)))) continue;
        Vec3<T> normal = Vec3<T>::zero();
        normal[1 - across] = i % 2 == 0 ? T(-1) : T(1);
        hit.take(x, p, normal);
    }
    return hit;
}

// x and the world normal of a local hit, with the derivatives of ray and pose.
template <class L, class T>
ShapeHit<L> carried_hit(const PlaneHit<T>& hit, const LocalRay<L>& ray, const OwnShape<L>& s) {
    ShapeHit<L> out;
    if (hit.x < T(0)) return out;
    if constexpr (std::is_floating_point_v<L>)
        out.x = hit.x;
    else
        out.x = dot(hit.normal, Vec3<L>(Vec3<L>::from(hit.point) - ray.pnt)) / dot(hit.normal, ray.vec);
    out.normal = s.mat * normalize(hit.normal);
    return out;
}

// Runs find(lane, shape, ray) -> PlaneHit in the lanes of the mask, on plain numbers in the shape's frame, and takes what is nearer
// than the hit of that lane so far. `ray` carries the lane's derivatives.
template <class S, class Find>
void ray_by_lane(const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec, const mask_t<S>& mask, ShapeHit<S>& out, Find&& find) {
    using L = lane_t<S>;
    for_each_lane(mask, lanes_v<S>, [&](int k) {
        const OwnShape<L> own = lane(s, k);
        const LocalRay<L> ray(own.view(), lane(pnt, k), lane(vec, k));
        const ShapeHit<L> hit = carried_hit(find(k, own, ray), ray, own);
        const L before = lane(out.x, k);
        if (!(hit.x >= L(0)) || (before >= L(0) && !(hit.x < before))) return;
        set_lane(out.x, k, hit.x);
        set_lane(out.normal, k, hit.normal);
    });
}

template <class M, class S>
ShapeHit<S> ray_mesh(const M& m, int geom, const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    using T = value_t<S>;
    ShapeHit<S> out;
    ray_by_lane(s, pnt, vec, ray_box(s, pnt, vec).x >= S(0), out, [&](int, const auto&, const auto& ray) {
        return ray_faces(m, m.geom_dataid[geom], TriangleRay<T>(plain_vec<T>(ray.pnt), plain_vec<T>(ray.vec)));
    });
    return out;
}

template <class M, class S>
ShapeHit<S> ray_hfield(const M& m, int geom, const Shape<S>& s, const Vec3<S>& pnt, const Vec3<S>& vec) {
    using T = value_t<S>;
    const int id = m.geom_dataid[geom];
    // the box below the surface, and the one around it
    Vec3<S> half{{S(m.hfield_size[id][0]), S(m.hfield_size[id][1]), S(m.hfield_size[id][3] * value_t<S>(0.5))}};
    const Vec3<S> base = s.pos - s.axis() * half[2];
    ShapeHit<S> out = ray_box(Shape<S>{base, s.mat, half}, pnt, vec);
    half[2] = S(m.hfield_size[id][2] * value_t<S>(0.5));
    const Vec3<S> top = s.pos + s.axis() * half[2];
    Vec<S, 6> walls;
    const auto near = ray_box(Shape<S>{top, s.mat, half}, pnt, vec, walls).x >= S(0);
    ray_by_lane(s, pnt, vec, near, out, [&](int k, const auto&, const auto& ray) {
        Vec<T, 6> plain_walls;
        for (int i = 0; i < 6; ++i) plain_walls[i] = plain<T>(lane(walls[i], k));
        return ray_surface(m, id, TriangleRay<T>(plain_vec<T>(ray.pnt), plain_vec<T>(ray.vec)), plain_walls);
    });
    return out;
}

}  // namespace mjx
