// set_constants: recomputes all tables of a model that follow from others; set_mass, set_size.
//
// Writes  the tables of stage/same_frames.hpp, stage/constants.hpp and stage/statistics.hpp
#pragma once

#include "mjx/integrator/work_space.hpp"
#include "mjx/math/principal_axes.hpp"
#include "mjx/stage/added_mass.hpp"
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

// Gives body b another mass; its inertia grows in proportion, and so do the parts that its geoms have in it.
template <class M, class R>
void set_mass(M& m, int b, const R& mass) {
    using Real = typename M::real;
    const auto massless = m.body_mass[b] < Real(minval_v<Real>);
    const Real scale = select(massless, Real(1), Real(Real(mass) / select(massless, Real(1), m.body_mass[b])));
    m.body_mass[b] = Real(mass);
    m.body_inertia[b] *= scale;
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
        m.geom_mass[g] *= scale;
        m.geom_inertia[g] *= scale;
    }
}

// The inertia of a body as its geoms give it. A geom that is all of its body is its inertial frame, and stays it.
template <class M>
void sum_parts(M& m, int b) {
    using Real = typename M::real;
    int count = 0, last = -1;
    const auto for_each = [&](auto&& add) {
        for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g)
            if (any(m.geom_mass[g] > Real(0))) add(g);
    };
    for_each([&](int g) {
        ++count;
        last = g;
    });
    if (count == 1) {
        m.body_mass[b] = m.geom_mass[last];
        m.body_inertia[b] = m.geom_inertia[last];
        return;
    }
    const MassPart<Real> sum = combined<Real>(m.opt.mujoco, [&](auto&& add) {
        for_each([&](int g) { add(MassPart<Real>{m.geom_mass[g], m.geom_pos[g], m.geom_quat[g], m.geom_inertia[g]}); });
    });
    m.body_mass[b] = sum.mass;
    m.body_ipos[b] = sum.pos;
    m.body_iquat[b] = sum.quat;
    m.body_inertia[b] = sum.inertia;
}

// Gives geom g another size, with its bounds and what the fluid around it weighs. The part it has in its body's mass and inertia follows,
// at the same density, or at the same mass where that was given; a body whose inertia was given keeps it. Meshes and other assets keep
// their size.
template <class M, class V>
void set_size(M& m, int g, const V& size) {
    using Real = typename M::real;
    shapes_of<M>::visit(m.geom_type[g], [&](auto s) {
        if constexpr (!s.from_asset) {
            const Vec3<Real> now{{Real(size[0]), Real(size[1]), Real(size[2])}}, before = m.geom_size[g], half = s.half_sizes(now);
            const bool shell = (m.geom_massrule[g] & massrule::shell) != 0, given = (m.geom_massrule[g] & massrule::given) != 0;
            const Real mass = m.geom_mass[g];
            if (any(mass > Real(0))) {
                if (!given) m.geom_mass[g] = mass * s.volume(now, shell) / s.volume(before, shell);
                m.geom_inertia[g] = s.inertia(m.geom_mass[g], now, shell);
                sum_parts(m, m.geom_bodyid[g]);
            }
            m.geom_size[g] = now;
            if (s.endless) return;
            for (int i = 0; i < 3; ++i) m.geom_aabb[g][3 + i] = half[i];
            m.geom_rbound[g] = s.radius(now);
            if (any(m.geom_fluid[g][0] > Real(0))) store(m.geom_fluid[g], 6, added_mass(half));
        }
    });
}

// Keeps the activations of muscles within 0 and 1, where their actrange does not say otherwise. MuJoCo lets a fast one overshoot by a step.
template <class M>
void clamp_muscles(M& m) {
    using Real = typename M::real;
    for (int i = 0; i < m.nactuator; ++i)
        if (m.actuator_dyntype[i] == dyn::muscle && !m.actuator_actlimited[i]) {
            m.actuator_actlimited[i] = 1;
            m.actuator_actrange[i] = {{Real(0), Real(1)}};
        }
}

}  // namespace mjx::inner
