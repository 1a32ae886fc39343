// set_constants: recomputes all tables of a model that follow from others; set_mass, set_size.
//
// Writes  the tables of stage/same_frames.hpp, stage/constants.hpp and stage/statistics.hpp
#pragma once

#include "mjx/stage/constants.hpp"
#include "mjx/stage/statistics.hpp"

namespace mjx::inner {

// With a Data of the same model as work space: no heap. It must be reset before it is used again.
template <class M, class D>
void set_constants(M& m, D& d) {
    static_assert(!M::is_fixed,
                  "parameters of a fixed model are constants; cast<double>(models::Arm{}) gives a model in which they change");
    static_assert(std::is_same_v<typename D::scalar, typename M::real>, "the Data for set_constants must have the model's own numbers");
    mark_same_frames(m);
    set_subtree_mass(m);
    set_rest_constants(m, d);
    set_statistics(m, d);
    set_spring_lengths(m, d);
}
template <class M>
void set_constants(M& m) {
    Data<typename M::real, M> d(m);
    set_constants(m, d);
}

// Gives body b another mass; its inertia grows in proportion.
template <class M, class R>
void set_mass(M& m, int b, const R& mass) {
    using Real = typename M::real;
    const auto massless = m.body_mass[b] < Real(minval_v<Real>);
    const Real scale = select(massless, Real(1), Real(Real(mass) / select(massless, Real(1), m.body_mass[b])));
    m.body_mass[b] = Real(mass);
    m.body_inertia[b] *= scale;
}

// The numbers of one lane of a vector.
template <class V>
Vec3<double> lane_of(const V& v, int k) {
    return tabulate<Vec3<double>>([&](int i) { return static_cast<double>(lane(v[i], k)); });
}

// Whether the mass properties of a body are those of its only geom, a solid of one density; `turned` are the geom's axes in the
// principal ones, and each of these is one of them, or any where the moments are equal.
inline bool is_inertia_of(const Vec3<double>& moments, const Vec3<double>& body, const Mat3<double>& turned, double precision) {
    const Mat3<double> spread = {{moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]}};
    const Mat3<double> inertia = turned * spread * transpose(turned);
    double size = 0, error = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            size = max(size, std::abs(inertia(r, c)));
            error = max(error, std::abs(inertia(r, c) - (r == c ? body[r] : 0)));
        }
    return error <= precision * size;
}

// Gives geom g another size, with its bounds. Mass and inertia of its body follow if this geom alone gave them, at the same density; they
// stay where they were given, or made by several geoms. Meshes and other assets keep their size.
template <class M, class V>
void set_size(M& m, int g, const V& size) {
    using Real = typename M::real;
    static_assert(!has_derivative<Real>,
                  "set_size is for models of float, double and packs; set the tables of a model of duals one by one");
    const int b = m.geom_bodyid[g];
    const double precision = 1e3 * static_cast<double>(epsilon_v<Real>);
    all_shapes::visit(m.geom_type[g], [&](auto s) {
        if constexpr (requires {
                          s.radius(Vec3<double>{});
                          s.volume(Vec3<double>{}, false);
                      }) {
            for (int k = 0; k < lanes_v<Real>; ++k) {
                const Vec3<double> before = lane_of(m.geom_size[g], k), now = lane_of(size, k), half = s.half_sizes(now);
                const auto store_lane = [&](Real& x, double value) { set_lane(x, k, static_cast<lane_t<Real>>(value)); };
                const double mass = static_cast<double>(lane(m.body_mass[b], k));
                const double grown = mass * s.volume(now, false) / s.volume(before, false);
                const Mat3<Real> axes = to_mat3(Quat<Real>(conjugate(m.body_iquat[b]) * m.geom_quat[g]));
                const Mat3<double> turned = tabulate<Mat3<double>>([&](int i) { return static_cast<double>(lane(axes[i], k)); });
                const Vec3<double> apart = lane_of(Vec3<Real>(m.body_ipos[b] - m.geom_pos[g]), k), moments = s.inertia(grown, now, false);
                const bool alone = m.body_geomnum[b] == 1 && mass > 0 && norm(apart) <= precision * (1 + norm(before)) &&
                                   is_inertia_of(s.inertia(mass, before, false), lane_of(m.body_inertia[b], k), turned, precision);
                for (int i = 0; i < 3; ++i) {
                    store_lane(m.geom_size[g][i], now[i]);
                    store_lane(m.geom_aabb[g][3 + i], half[i]);
                    double moment = 0;
                    for (int j = 0; j < 3; ++j) moment += turned(i, j) * turned(i, j) * moments[j];
                    if (alone) store_lane(m.body_inertia[b][i], moment);
                }
                store_lane(m.geom_rbound[g], s.radius(now));
                if (alone) store_lane(m.body_mass[b], grown);
            }
        }
    });
}

}  // namespace mjx::inner
