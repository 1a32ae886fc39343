// Model statistics at qpos0: mean inertia, mass and size, centre and extent, and a length for each rotational dof.
//
// Reads   the frames of a Data at qpos0, M, geom_rbound
// Writes  stat, dof_length; what the user gave in statistic wins
#pragma once

#include "mjx/compile/constants.hpp"

namespace mjx::inner::compiler {

struct Box {
    Vec3d low{{1e10, 1e10, 1e10}}, high{{-1e10, -1e10, -1e10}};
    void add(const Vec3d& p, double radius = 0) {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k] - radius);
            high[k] = std::max(high[k], p[k] + radius);
        }
    }
};

// Planes and the like have no bounding sphere: a tenth of their drawn size stands for them.
template <class M>
double drawn_radius(const M& m, int g) {
    if (m.geom_rbound[g] > 0) return m.geom_rbound[g];
    if (!is_endless(m.geom_type[g])) return 0;
    const double size = std::max(m.geom_size[g][0], m.geom_size[g][1]);
    return size != 0 ? size * 0.1 : 0.01;
}

template <class M>
void set_extent(M& m, const RestData<M>& d) {
    Box box;
    for (int b = 1; b < m.nbody; ++b) {
        box.add(d.xpos[b]);
        box.add(d.xipos[b]);
    }
    for (int j = 0; j < m.njnt; ++j) box.add(d.xanchor[j]);
    for (int s = 0; s < m.nsite; ++s) box.add(d.site_xpos[s]);
    for (int g = 0; g < m.ngeom; ++g) box.add(d.geom_xpos[g], drawn_radius(m, g));
    m.stat.center = (box.low + box.high) * 0.5;
    const Vec3d side = box.high - box.low;
    if (side[0] > 0) m.stat.extent = std::max(1e-5, std::max(side[0], std::max(side[1], side[2])));
}

// How far a body reaches from its centre of mass: to its joints, its children's joints and the ends of its geoms.
template <class M>
std::vector<double> body_sizes(const M& m, const RestData<M>& d) {
    std::vector<double> size(static_cast<std::size_t>(m.nbody), 0.0);
    const auto reach = [&](int b, double length) {
        double& s = size[static_cast<std::size_t>(b)];
        s = std::max(s, length);
    };
    for (int j = 0; j < m.njnt; ++j) {
        const int b = m.jnt_bodyid[j], parent = m.body_parentid[b];
        reach(b, norm(Vec3d(d.xipos[b] - d.xanchor[j])));
        reach(parent, norm(Vec3d(d.xipos[parent] - d.xanchor[j])));
    }
    for (int g = 0; g < m.ngeom; ++g) {
        const int b = m.geom_bodyid[g];
        if (m.geom_rbound[g] > 0) reach(b, m.geom_rbound[g] + norm(Vec3d(d.xipos[b] - d.geom_xpos[g])));
    }
    for (int b = 1; b < m.nbody; ++b) reach(b, 1e-5);
    return size;
}

template <class M>
void set_statistics(M& m, const RestData<M>& d) {
    set_extent(m, d);
    const std::vector<double> size = body_sizes(m, d);
    if (m.nbody > 1) {
        m.stat.meansize = 0;
        m.stat.meanmass = 0;
        for (int b = 1; b < m.nbody; ++b) {
            m.stat.meansize += size[static_cast<std::size_t>(b)] / (m.nbody - 1);
            m.stat.meanmass += m.body_mass[b] / (m.nbody - 1);
        }
    }
    m.stat.extent = std::max(m.stat.extent, 2 * m.stat.meansize);
    if (m.nv > 0) {
        m.stat.meaninertia = 0;
        for (int i = 0; i < m.nv; ++i) m.stat.meaninertia += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1] / m.nv;
    }
    m.dof_length.resize(m.nv);
    for (int i = 0; i < m.nv; ++i) {
        const int j = m.dof_jntid[i];
        const bool rotation = M::joints::kind(m.jnt_type[j]).rotates(i - m.jnt_dofadr[j]);
        m.dof_length[i] = rotation ? size[static_cast<std::size_t>(m.dof_bodyid[i])] : 1;
    }
}

inline void override_statistics(CompiledModel& m, const SpecStatistic& given) {
    m.stat.meaninertia = given.meaninertia.value_or(m.stat.meaninertia);
    m.stat.meanmass = given.meanmass.value_or(m.stat.meanmass);
    m.stat.meansize = given.meansize.value_or(m.stat.meansize);
    m.stat.extent = given.extent.value_or(m.stat.extent);
    m.stat.center = given.center.value_or(m.stat.center);
}

}  // namespace mjx::inner::compiler
