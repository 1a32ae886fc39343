// Box: sizes are half its edges. Corner k has positive coordinates where the bits of k are set.
#pragma once

#include "mjx/model/shape/fields.hpp"
#include "mjx/model/shape/surface.hpp"

namespace mjx::inner {

struct Box : ShapeTraits {
    static constexpr int type = shape::box, sizes = 3, length_size = 2, cable_size = 0;
    static constexpr const char* name = "box";
    static constexpr bool polyhedral = true, faced = true;

    template <class R>
    static R volume(const Vec3<R>& size, bool shell) {
        const R eight(8);
        return shell ? eight * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]) : eight * size[0] * size[1] * size[2];
    }
    template <class R>
    static Vec3<R> inertia(const R& mass, const Vec3<R>& s, bool shell) {
        const R x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2], two(2), three(3);
        if (!shell) return {{mass * (y + z) / three, mass * (x + z) / three, mass * (x + y) / three}};
        // three pairs of plates, in the planes xy, yz and zx
        const R area = two * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
        const R xy = mass * s[0] * s[1] / area, yz = mass * s[1] * s[2] / area, zx = mass * s[2] * s[0] / area;
        return {{two * (xy * z + zx * y + (xy * y + yz * (y + z) + zx * z) / three),
                 two * (xy * z + yz * x + (xy * x + yz * z + zx * (x + z)) / three),
                 two * (yz * x + zx * y + (xy * (x + y) + yz * y + zx * x) / three)}};
    }
    template <class R>
    static R radius(const Vec3<R>& size) {
        return norm(size);
    }
    template <class R>
    static constexpr Vec3<R> half_sizes(const Vec3<R>& size) {
        return size;
    }
    // Of the rectangle across x, as Capsule::section; the torsion of half sides a ≥ b by Timoshenko's approximation, as in MuJoCo.
    static Vec3<double> section(const Vec3<double>& size) {
        const double h = size[1], w = size[2], wide = std::max(h, w), thin = std::min(h, w), ratio = thin / wide;
        const double torsion = wide * (thin * thin * thin) * (16. / 3 - 3.36 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
        return {{torsion, 8 * (w * w * w) * 2 * h / 12, 8 * (h * h * h) * 2 * w / 12}};
    }
    static Vec3<double> fitted(const Vec3<double>& half, bool) { return half; }

    template <class T>
    static Vec3<T> support(const Vec3<T>& size, const Vec3<T>& dir) {
        Vec3<T> p;
        for (int i = 0; i < 3; ++i) p[i] = dir[i] >= T(0) ? size[i] : -size[i];
        return p;
    }
    template <class M, class Object, class T>
    static Vec3<T> vertex_support(const M&, Object& o, const Vec3<T>& dir) {
        const Vec3<T> p = support(o.size, dir);
        o.vertex = 0;
        for (int i = 0; i < 3; ++i) o.vertex |= p[i] > T(0) ? 1 << i : 0;
        return p;
    }

    // As a polyhedron, in its place o: corners in its frame, outer normals of faces in the world. Faces are +x -x +y -y +z -z, their
    // corners clockwise seen from outside.
    template <class M, class Object>
    static auto vertex(const M&, const Object& o, int index) {
        auto p = o.size;
        for (int k = 0; k < 3; ++k) p[k] = (index >> k & 1) != 0 ? o.size[k] : -o.size[k];
        return p;
    }
    template <class M, class Object>
    static auto face_normal(const M&, const Object& o, int face) {
        const auto axis = o.mat.column(face / 2);
        return face % 2 == 0 ? axis : -axis;
    }
    template <class M, class Object>
    static int face_size(const M&, const Object&, int) {
        return 4;
    }
    template <class M, class Object>
    static int face_vertex(const M&, const Object&, int face, int k) {
        constexpr int corners[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6}, {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
        return corners[face][k];
    }
    template <class M, class Object>
    static int edge_count(const M&, const Object&, int) {
        return 3;
    }
    template <class M, class Object>
    static int edge_end(const M&, const Object&, int vertex, int edge) {
        return vertex ^ 1 << edge;
    }
    // Faces that all corners of a feature share; when they do not determine them, the one that dir points at within 5 degrees.
    template <class Feature, class T, class Faces>
    static void find_faces(const Feature& f, const Vec3<T>& dir, Faces& found) {
        for (int axis = 0; axis < 3; ++axis) {
            bool above = true, below = true;
            for (int i = 0; i < f.dim; ++i) {
                above = above && (f.index[i] >> axis & 1);
                below = below && !(f.index[i] >> axis & 1);
            }
            if (above || below) found.face[found.count++] = 2 * axis + (below ? 1 : 0);
        }
        if (found.count == 4 - f.dim) return;
        found.count = 0;
        const Vec3<T> local = transpose_mul(found.o.mat, dir);
        const T length = norm(local);
        for (int i = 0; i < 6 && found.count == 0; ++i)
            if ((i % 2 == 0 ? local[i / 2] : -local[i / 2]) / length > T(0.996)) found.face[found.count++] = i;
    }

    // The faces in the order -x +x -y +y -z +z; faces[i] is x there or -1.
    template <class S>
    static void ray(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit, Vec<S, 6>& faces) {
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            const auto crosses = abs(ray.vec[i]) > S(minval_v<S>);
            const S inverse = S(1) / select(crosses, ray.vec[i], S(1));
            for (int side = 0; side < 2; ++side) {
                const value_t<S> sign = side ? 1 : -1;
                const S x = (size[i] * sign - ray.pnt[i]) * inverse;
                const Vec3<S> p = ray.at(x);
                const auto inside = crosses && x >= S(0) && abs(p[j]) <= size[j] && abs(p[k]) <= size[k];
                faces[2 * i + side] = select(inside, x, S(-1));
                Vec3<S> normal = Vec3<S>::zero();
                normal[i] = S(sign);
                hit.take(x, normal, inside);
            }
        }
    }
    template <class S>
    static void ray(const LocalRay<S>& local, const Vec3<S>& size, SurfaceHit<S>& hit) {
        Vec<S, 6> faces;
        ray(local, size, hit, faces);
    }
    template <class S, class R>
    static mask_t<S> inside(const Vec3<R>& size, const Vec3<S>& p) {
        return abs(p[0]) < S(size[0]) && abs(p[1]) < S(size[1]) && abs(p[2]) < S(size[2]);
    }
    template <class T>
    static T distance(const Vec3<T>& size, bool exact, const Vec3<T>& p, Vec3<T>* gradient) {
        return exact ? sdf::Box<T>{size}.distance(p, gradient) : sdf::SolidBox<T>{size}.distance(p, gradient);
    }

    template <class T, class L>
    static Vec3<L> grow(const Vec3<T>& p, const Vec3<L>& size) {
        Vec3<L> r;
        for (int i = 0; i < 3; ++i) {
            const T half = plain<T>(size[i]), along = clamp(p[i], -half, half);
            r[i] = grown(along, size[i]) + (p[i] - along);
        }
        return r;
    }
};

}  // namespace mjx::inner
