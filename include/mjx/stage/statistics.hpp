// Model statistics at qpos0: mean inertia, mass and size, centre and extent, and a length for each rotational dof.
//
// Reads   the frames of a Data at qpos0, M, geom_rbound
// Writes  stat, dof_length (of the model)
#pragma once

#include "mjx/math/mat3.hpp"
#include "mjx/model/shape/list.hpp"

namespace mjx::inner {

template <class R>
struct BoundingBox {
    static constexpr value_t<R> far = static_cast<value_t<R>>(1e10);
    Vec3<R> low{{R(far), R(far), R(far)}}, high{{R(-far), R(-far), R(-far)}};

    void add(const Vec3<R>& p, const R& radius = R(0)) {
        for (int k = 0; k < 3; ++k) {
            low[k] = min(low[k], R(p[k] - radius));
            high[k] = max(high[k], R(p[k] + radius));
        }
    }
};

// Planes and the like have no bounding sphere: a tenth of their drawn size stands for them.
template <class M>
auto drawn_radius(const M& m, int g) {
    using R = typename M::real;
    if (!is_endless(m.geom_type[g])) return max(m.geom_rbound[g], R(0));
    const R size = max(m.geom_size[g][0], m.geom_size[g][1]);
    return select(size != R(0), R(size * static_cast<value_t<R>>(0.1)), R(static_cast<value_t<R>>(0.01)));
}

template <class M, class D>
void set_extent(M& m, const D& d) {
    using R = typename M::real;
    BoundingBox<R> box;
    for (int b = 1; b < m.nbody; ++b) {
        box.add(d.xpos[b]);
        box.add(d.xipos[b]);
    }
    for (int j = 0; j < m.njnt; ++j) box.add(d.xanchor[j]);
    for (int s = 0; s < m.nsite; ++s) box.add(d.site_xpos[s]);
    for (int g = 0; g < m.ngeom; ++g) box.add(d.geom_xpos[g], drawn_radius(m, g));
    m.stat.center = (box.low + box.high) * value_t<R>(0.5);
    const Vec3<R> side = box.high - box.low;
    const R extent = max(R(static_cast<value_t<R>>(1e-5)), max(side[0], max(side[1], side[2])));
    m.stat.extent = select(side[0] > R(0), extent, m.stat.extent);
}

// How far a body reaches from its centre of mass: to its joints, its children's joints and the ends of its geoms.
template <class M, class D>
auto body_size(const M& m, const D& d, int b) {
    using R = typename M::real;
    R size(b > 0 ? static_cast<value_t<R>>(1e-5) : value_t<R>(0));
    // numbered depth first, the bodies that b carries follow it
    for (int own = b; own == b || (own < m.nbody && m.body_parentid[own] >= b); ++own) {
        if (own != b && m.body_parentid[own] != b) continue;
        for (int j = m.body_jntadr[own]; j < m.body_jntadr[own] + m.body_jntnum[own]; ++j)
            size = max(size, norm(Vec3<R>(d.xipos[b] - d.xanchor[j])));
    }
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
        const R reach = m.geom_rbound[g] + norm(Vec3<R>(d.xipos[b] - d.geom_xpos[g]));
        size = max(size, select(m.geom_rbound[g] > R(0), reach, R(0)));
    }
    return size;
}

template <class M, class D>
void set_statistics(M& m, const D& d) {
    using R = typename M::real;
    set_extent(m, d);
    if (m.nbody > 1) {
        m.stat.meansize = R(0);
        m.stat.meanmass = R(0);
    }
    for (int b = 1; b < m.nbody; ++b) {
        const R size = body_size(m, d, b);
        m.stat.meansize += size / value_t<R>(m.nbody - 1);
        m.stat.meanmass += m.body_mass[b] / value_t<R>(m.nbody - 1);
        for (int i = m.body_dofadr[b]; i < m.body_dofadr[b] + m.body_dofnum[b]; ++i) {
            const int j = m.dof_jntid[i];
            const bool rotation = M::joints::kind(m.jnt_type[j]).rotates(i - m.jnt_dofadr[j]);
            m.dof_length[i] = rotation ? size : R(1);
        }
    }
    m.stat.extent = max(m.stat.extent, R(m.stat.meansize * value_t<R>(2)));
    if (m.nv == 0) return;
    m.stat.meaninertia = R(0);
    for (int i = 0; i < m.nv; ++i) m.stat.meaninertia += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1] / value_t<R>(m.nv);
}

}  // namespace mjx::inner
