// Shapes of the user's own: what the library makes of a support function, and WithShapes, a model that has them. shapes.hpp shows how
// to write one.
//
// Everything that a shape has (list.hpp) is made from the support function h'(n), the point furthest along n, unless the user's struct
// has it: bounds by asking along the axes, mass by summing over the hull of many support points, the motion of the surface by its
// derivatives. Rays, points inside and signed distances are in collision/by_support.hpp, which asks GJK.
#pragma once

#include "mjx/model/shape/list.hpp"
#include "mjx/model/spec.hpp"

namespace mjx::inner {

template <class U>
concept convex_shape = requires(const Vec3<double>& v, const Vec3<dual<double, 2>>& w) {
    { U::type } -> std::convertible_to<int>;
    { U::sizes } -> std::convertible_to<int>;
    { U::name } -> std::convertible_to<const char*>;
    { U::support(v, v) } -> std::convertible_to<Vec3<double>>;
    { U::support(w, w) } -> std::convertible_to<Vec3<dual<double, 2>>>;
};

// Integrals over a solid and its surface, of 1, of x and of x xᵀ (six numbers xx yy zz xy xz yz).
struct HullIntegrals {
    double volume = 0, area = 0;
    Vec3<double> first = Vec3<double>::zero();
    Vec6<double> solid = Vec6<double>::zero(), shell = Vec6<double>::zero();

    // A triangle of the surface, and the tetrahedron between it and the origin.
    void add(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
        const Vec3<double> sum = a + b + c, normal = cross(Vec3<double>(b - a), Vec3<double>(c - a));
        const double cone = dot(a, cross(b, c)) / 6, flat = norm(normal) / 2;
        volume += cone;
        area += flat;
        first += sum * (cone / 4);
        constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        for (int k = 0; k < 6; ++k) {
            const int i = row[k], j = column[k];
            const double squares = sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
            solid[k] += squares * (cone / 20);
            shell[k] += squares * (flat / 12);
        }
    }
};

// Support points along a grid of directions span a surface: each octant of the sphere is cut into n² triangles. The error falls like
// 1/n², so that of n and 2n together is far smaller (Richardson): 1e-6 of the volume for round shapes, nothing for polyhedra.
template <class U>
HullIntegrals integrate_hull(const Vec3<double>& size, int n) {
    HullIntegrals sum;
    for (int octant = 0; octant < 8; ++octant) {
        const double x = octant & 1 ? -1 : 1, y = octant & 2 ? -1 : 1, z = octant & 4 ? -1 : 1;
        const auto point = [&](int i, int j) {
            return Vec3<double>(U::support(size, normalize(Vec3<double>{{x * i, y * j, z * (n - i - j)}})));
        };
        const auto triangle = [&](const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
            x* y* z > 0 ? sum.add(a, b, c) : sum.add(a, c, b);
        };
        for (int i = 0; i < n; ++i)
            for (int j = 0; i + j < n; ++j) {
                triangle(point(i, j), point(i + 1, j), point(i, j + 1));
                if (i + j + 1 < n) triangle(point(i + 1, j), point(i + 1, j + 1), point(i, j + 1));
            }
    }
    return sum;
}

template <class U>
HullIntegrals hull_integrals(const Vec3<double>& size) {
    const HullIntegrals rough = integrate_hull<U>(size, 40), fine = integrate_hull<U>(size, 80);
    const auto better = [](const auto& coarse, const auto& good) { return good + (good - coarse) * (1.0 / 3.0); };
    return {better(rough.volume, fine.volume), better(rough.area, fine.area), better(rough.first, fine.first),
            better(rough.solid, fine.solid), better(rough.shell, fine.shell)};
}

// A function of sizes that is known for double, for any scalar: lane by lane, with derivatives by central differences.
template <class R, class F>
auto by_doubles(const Vec3<R>& size, F&& f) {
    using Result = std::remove_cvref_t<decltype(f(Vec3<double>{}))>;
    Vec<R, Result::size> result;
    for (int k = 0; k < lanes_v<R>; ++k) {
        const Vec3<double> at = tabulate<Vec3<double>>([&](int i) { return static_cast<double>(value_of(lane(size[i], k))); });
        const Result value = f(at);
        for (int i = 0; i < Result::size; ++i) set_lane(result[i], k, lane_t<R>(static_cast<value_t<R>>(value[i])));
        if constexpr (has_derivative<R>)
            for (int j = 0; j < 3; ++j) {
                Vec3<double> above = at, below = at;
                const double h = 1e-4 * (std::abs(at[j]) + 1e-3);
                above[j] += h;
                below[j] -= h;
                const Result slope = (f(above) - f(below)) * (0.5 / h);
                for (int i = 0; i < Result::size; ++i) result[i] += (size[j] - R(at[j])) * value_t<R>(slope[i]);
            }
    }
    return result;
}

// A user's shape with all that the library asks of one.
template <class U>
struct UserShape : ShapeTraits {
    static_assert(convex_shape<U>,
                  "a shape has int type, int sizes, const char* name and support(size, dir) for Vec3 of numbers and of duals");
    static_assert(U::type >= shape::count && U::type < max_shapes, "the type of a shape of your own is from shape::count to 255");

    static constexpr int type = U::type, sizes = U::sizes;
    static constexpr const char* name = U::name;
    static constexpr bool by_support = true;
    static constexpr bool round = requires { requires U::round; };
    static constexpr bool has_ray = requires(const Vec3<double>& v, LocalRay<double> r, SurfaceHit<double> h) { U::ray(r, v, h); };
    static constexpr bool has_inside = requires(const Vec3<double>& v) { U::inside(v, v); };

    template <class T>
    static Vec3<T> support(const Vec3<T>& size, const Vec3<T>& dir) {
        return U::support(size, dir);
    }
    // A shape that is another one grown by a radius may say so: GJK alone then finds contacts that are not deep.
    template <class T>
    static T core_radius(const Vec3<T>& size)
        requires requires { U::core_radius(size); }
    {
        return U::core_radius(size);
    }
    template <class T>
    static Vec3<T> core(const Vec3<T>& size, const Vec3<T>& dir)
        requires requires { U::core(size, dir); }
    {
        return U::core(size, dir);
    }

    template <class R>
    static R volume(const Vec3<R>& size, bool shell) {
        if constexpr (requires { R(U::volume(size, shell)); })
            return U::volume(size, shell);
        else if constexpr (!std::same_as<R, double>)
            return by_doubles(size, [&](const Vec3<double>& s) { return Vec<double, 1>{{volume(s, shell)}}; })[0];
        else {
            const HullIntegrals hull = hull_integrals<U>(size);
            return shell ? hull.area : hull.volume;
        }
    }
    template <class R>
    static Vec3<R> inertia(const R& mass, const Vec3<R>& size, bool shell) {
        if constexpr (requires { Vec3<R>(U::inertia(mass, size, shell)); })
            return U::inertia(mass, size, shell);
        else if constexpr (!std::same_as<R, double>)
            return by_doubles(size, [&](const Vec3<double>& s) { return inertia(1.0, s, shell); }) * mass;
        else {
            const HullIntegrals hull = hull_integrals<U>(size);
            const Vec6<double>& s = shell ? hull.shell : hull.solid;
            const double scale = mass / (shell ? hull.area : hull.volume), off = 1e-3 * radius(size) * hull.volume;
            bool aligned = true;
            for (int k = 0; k < 3; ++k)
                aligned = aligned && std::abs(hull.first[k]) <= off && std::abs(s[3 + k]) <= 1e-3 * (s[0] + s[1] + s[2]);
            if (!aligned)
                throw_model_error({"shape ", name,
                                   ": its centre of mass and principal axes are not those of its frame, expected so, or "
                                   "functions volume and inertia of its own"});
            return {{(s[1] + s[2]) * scale, (s[0] + s[2]) * scale, (s[0] + s[1]) * scale}};
        }
    }
    template <class R>
    static Vec3<R> half_sizes(const Vec3<R>& size) {
        if constexpr (requires { U::half_sizes(size); })
            return U::half_sizes(size);
        else if constexpr (lanes_v<R> > 1) {  // support functions may branch
            Vec3<R> half;
            for (int k = 0; k < lanes_v<R>; ++k) {
                const Vec3<lane_t<R>> one = half_sizes(Vec3<lane_t<R>>{{lane(size[0], k), lane(size[1], k), lane(size[2], k)}});
                for (int i = 0; i < 3; ++i) set_lane(half[i], k, one[i]);
            }
            return half;
        } else {
            Vec3<R> half;
            for (int i = 0; i < 3; ++i) {
                Vec3<R> dir = Vec3<R>::zero();
                dir[i] = R(1);
                const R above = support(size, dir)[i];
                dir[i] = R(-1);
                half[i] = max(above, R(-support(size, dir)[i]));
            }
            return half;
        }
    }
    template <class R>
    static R radius(const Vec3<R>& size) {
        if constexpr (requires { R(U::radius(size)); })
            return U::radius(size);
        else if constexpr (requires { U::radius(Vec3<double>{}); })
            return by_doubles(size, [](const Vec3<double>& s) { return Vec<double, 1>{{U::radius(s)}}; })[0];
        else
            return norm(half_sizes(size));
    }

    template <class S>
    static void ray(const LocalRay<S>& ray, const Vec3<S>& size, SurfaceHit<S>& hit)
        requires has_ray
    {
        U::ray(ray, size, hit);
    }
    template <class S, class R>
    static mask_t<S> inside(const Vec3<R>& size, const Vec3<S>& p)
        requires has_inside
    {
        return U::inside(size, p);
    }

    // The normal tilts a little, all round: on a face the support point jumps in two directions, on an edge in one, elsewhere it moves on
    // by its derivatives.
    template <class T>
    static SurfaceShifts<T> shifts(const Vec3<T>& size, const SurfacePoint<T>& at) {
        constexpr T tilt = T(1e-4);
        const T jump = T(1e-2) * norm(half_sizes(size));
        T xx = T(0), xy = T(0), yy = T(0);
        const Vec3<T> middle = support(size, at.n);
        for (int k = 0; k < 8; ++k) {
            const T c = cos(T(k) * T(0.7853981633974483)), s = sin(T(k) * T(0.7853981633974483));
            const Vec3<T> moved = support(size, normalize(Vec3<T>(at.n + (at.s * c + at.t * s) * tilt))) - middle;
            const T x = dot(at.s, moved), y = dot(at.t, moved);
            if (!(x * x + y * y > jump * jump)) continue;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        // the principal axis of the jumps
        const T half = (xx - yy) / 2, root = sqrt(half * half + xy * xy), mean = (xx + yy) / 2;
        if (mean - root > jump * jump / 4) return SurfaceShifts<T>::face();
        using D = dual<T, 2>;
        Vec3<D> dir = Vec3<D>::from(at.n);
        for (int i = 0; i < 3; ++i) {
            dir[i].partial[0] = at.s[i];
            dir[i].partial[1] = at.t[i];
        }
        const Vec3<D> p = support(Vec3<D>::from(size), dir);
        const auto slope = [&](const Vec3<T>& along, int by) {
            return (along[0] * p[0].partial[by] + along[1] * p[1].partial[by] + along[2] * p[2].partial[by]) * at.along;
        };
        const T ss = slope(at.s, 0), st = (slope(at.s, 1) + slope(at.t, 0)) / 2, tt = slope(at.t, 1);
        if (!(mean + root > jump * jump / 4)) return SurfaceShifts<T>::curved(ss, st, tt);
        T x = half >= T(0) ? half + root : xy, y = half >= T(0) ? xy : root - half;
        const T length = sqrt(x * x + y * y);
        x /= length;
        y /= length;
        return SurfaceShifts<T>::edge(x, y, y * y * ss - 2 * x * y * st + x * x * tt);
    }
    // The point p with the normal n on a surface whose size changes: it moves like the support point.
    template <class T, class L>
    static Vec3<L> grow_at(const Vec3<T>& p, const Vec3<T>& n, const Vec3<L>& size) {
        const Vec3<L> q = support(size, Vec3<L>::from(n));
        return q + (p - plain_vec<T>(q));
    }
};

// The model M whose geoms and sites may have shapes of the user's own. It is made of a model that compile<Shapes...>(spec) gave, or is
// given with a fixed one.
template <class M, class... U>
struct WithShapes : M {
    template <class... Built>
    static shape_list<Built..., UserShape<U>...> with(shape_list<Built...>);
    using shapes = decltype(with(shapes_of<M>{}));

    template <class Real>
    using rebind = WithShapes<typename M::template rebind<Real>, U...>;

    constexpr WithShapes() = default;
    WithShapes(const M& model)
        requires(!M::is_fixed)
        : M(model) {}
};

}  // namespace mjx::inner
