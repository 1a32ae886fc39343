// ConvexObject<T>: one side of a convex collision, on plain numbers; and its support function, the point furthest in a direction.
// Ties are broken as in MuJoCo (the first of equals, starting from the vertex found last), since with flat faces they decide which
// of several equally deep answers comes out.
//
// Shapes have their support functions in their structs (model/shape); a mesh stands for its hull; a height field gives one prism at a
// time, in its own frame. Directions are unit vectors, points are in the world (prisms: in the field's frame).
#pragma once

#include "mjx/collision/geom.hpp"
#include "mjx/collision/simplex.hpp"
#include "mjx/model/shape/list.hpp"

#include <type_traits>

namespace mjx::inner {

// What GJK and EPA run on, whatever the scalar of the simulation, unless the model says otherwise (ConvexIn). Poses and sizes come in, and
// contacts go out, in the scalar's own precision.
using ConvexReal = double;

// A fixed model whose convex geoms collide in numbers of type Real: in float where double is dear, as on a GPU. EPA tells faces of a
// polytope apart by the differences of nearly equal planes: in float one depth in ten thousand is wrong by more than a thousandth of the
// size, all others are right to float's own rounding (tests/collision/convex_agreement_test.cpp). Points of a patch come and go sooner.
template <class Real, class M>
struct ConvexIn : M {
    static_assert(std::is_floating_point_v<Real> && M::is_fixed, "ConvexIn takes float or double, then a model written by mjx_add_model");
    using convex_real = Real;
    template <class Other>
    using rebind = ConvexIn<Real, typename M::template rebind<Other>>;
};
template <class M>
using named_convex_real = typename M::convex_real;
template <class M>
using convex_real_t = typename named_or<named_convex_real, M, ConvexReal>::type;

// What the algorithm sees of a geom. `core` shrinks spheres to their centre and capsules to their axis.
template <class T>
struct ConvexObject {
    int type = Sphere::type;
    int mesh = -1;
    Vec3<T> pos{};
    Mat3<T> mat{};
    Vec3<T> size{};
    T margin = T(0);  // half of it is added around the shape
    bool core = false;
    int vertex = -1;  // box corner or mesh vertex found last
    int hull_vertex = -1;  // the same as a node of the hull graph
    bool climbs = false;  // a mesh with such a graph
    Vec3<T> prism[6];  // height fields: three corners below, three above

    bool polyhedral() const { return is_polyhedral(type); }
    bool is_prism() const { return type == Hfield::type; }
    [[gnu::noinline]] Vec3<T> center() const {
        if (!is_prism()) return pos;
        Vec3<T> sum = Vec3<T>::zero();
        for (const Vec3<T>& p : prism) sum += p;
        return sum * T(T(1) / T(6));
    }
};

// The geom with a given pose and size, which may carry derivatives. Signed distance fields collide by the hull of their mesh here.
template <class T, class M, class L>
ConvexObject<T> convex_object(const M& m, int geom, const Geom<L>& s, T margin) {
    ConvexObject<T> object;
    object.type = is_field(m.geom_type[geom]) ? Mesh::type : static_cast<int>(m.geom_type[geom]);
    object.mesh = object.type == Mesh::type ? m.geom_dataid[geom] : -1;
    object.climbs = object.mesh >= 0 && Mesh::climbs(m, object.mesh);
    object.pos = plain_vec<T>(s.pos);
    object.mat = plain_mat<T>(s.mat);
    object.size = plain_vec<T>(s.size);
    object.margin = margin;
    return object;
}

template <class T>
[[gnu::always_inline]] inline void set_in_world(const ConvexObject<T>& o, const Vec3<T>& p, Point<T>& point) {
    const Vec3<T> turned = o.mat * p;
    point.set(turned[0] + o.pos[0], turned[1] + o.pos[1], turned[2] + o.pos[2]);
}

// The point of the object, without its margin, furthest along the unit vector dir.
template <class T, class M>
void support(const M& m, ConvexObject<T>& o, const Vec3<T>& dir, Point<T>& point) {
    Vec3<T> p{};
    const bool found = shapes_of<M>::is(o.type, [&](auto s) {
        if constexpr (requires { s.support_in_world(o, dir, p); })
            return s.support_in_world(o, dir, p);
        else
            return false;
    });
    if (found) return point.set(p[0], p[1], p[2]);
    const Vec3<T> local = transpose_mul(o.mat, dir);
    shapes_of<M>::visit(o.type, [&](auto s) {
        if constexpr (requires { s.vertex_support(m, o, local); })
            p = s.vertex_support(m, o, local);
        else if constexpr (requires { s.core(o.size, local); })
            p = o.core ? s.core(o.size, local) : s.support(o.size, local);
        else if constexpr (requires { s.support(o.size, local); })
            p = s.support(o.size, local);
    });
    set_in_world(o, p, point);
}

// The points of two meshes furthest along dir and furthest against it. A climb waits for what it looks up: two at once hardly take longer.
template <class T, class M>
void mesh_supports(const M& m, ConvexObject<T>& a, ConvexObject<T>& b, const Vec3<T>& dir, Point<T>& point_a, Point<T>& point_b) {
    Vec3<T> p, q;
    Mesh::vertex_supports(m, a, b, transpose_mul(a.mat, dir), transpose_mul(b.mat, Vec3<T>(-dir)), p, q);
    set_in_world(a, p, point_a);
    set_in_world(b, q, point_b);
}

}  // namespace mjx::inner
