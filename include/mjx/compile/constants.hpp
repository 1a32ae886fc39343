// Constants that follow from the model at rest and from what the Spec says about them.
//
// Writes  the tables of stage/constants.hpp and stage/statistics.hpp; body_mass and body_inertia (settotalmass), jnt_stiffness and
//         dof_damping (springdamper); what the user gave in statistic wins
#pragma once

#include "mjx/compile/tables.hpp"
#include "mjx/data/data.hpp"
#include "mjx/integrator/work_space.hpp"
#include "mjx/stage/constants.hpp"
#include "mjx/stage/statistics.hpp"

namespace mjx::inner::compiler {

// A model of any set of joints is simulated as what it is.
template <class M>
using RestData = Data<double, M>;

template <class M>
void set_total_mass(M& m, double total) {
    if (total <= 0) return;
    double mass = 0;
    for (int b = 1; b < m.nbody; ++b) mass += m.body_mass[b];
    const double scale = std::max(minval, total / std::max(minval, mass));
    for (int b = 1; b < m.nbody; ++b) {
        m.body_mass[b] *= scale;
        m.body_inertia[b] *= scale;
    }
    for (int g = 0; g < m.ngeom; ++g) {
        m.geom_mass[g] *= scale;
        m.geom_inertia[g] *= scale;
    }
}

// Room for what the stages write.
template <class M>
[[gnu::cold]] void size_constants(M& m) {
    m.body_subtreemass.resize(m.nbody);
    m.body_invweight0.resize(m.nbody);
    m.dof_M0.resize(m.nv);
    m.dof_invweight0.resize(m.nv);
    m.dof_length.resize(m.nv);
    m.tendon_length0.resize(m.ntendon);
    m.tendon_invweight0.resize(m.ntendon);
    m.actuator_length0.resize(m.nout);
    m.actuator_acc0.resize(m.nout);
    m.cam_pos0.resize(m.ncam);
    m.cam_poscom0.resize(m.ncam);
    m.cam_mat0.resize(m.ncam);
    m.light_pos0.resize(m.nlight);
    m.light_poscom0.resize(m.nlight);
    m.light_dir0.resize(m.nlight);
}

// springdamper: stiffness and damping that give the joint's own inertia the time constant and damping ratio.
template <class M>
[[gnu::cold]] void set_springdampers(M& m, const Tree& tree) {
    int j = 0;
    for (const BodyNode* b : tree.bodies)
        for (const JointNode& joint : b->joints) {
            const double time = joint.springdamper[0], ratio = joint.springdamper[1];
            const int first = m.jnt_dofadr[j], n = joint.kind->nv;
            if (time > 0 && ratio > 0) {
                double sum = 0;
                for (int i = first; i < first + n; ++i) sum += m.dof_invweight0[i];
                const double inertia = n / std::max(minval, sum);
                m.jnt_stiffness[j] = inertia / std::max(minval, time * time * ratio * ratio);
                for (int i = first; i < first + n; ++i) m.dof_damping[i] = 2 * inertia / std::max(minval, time);
            }
            ++j;
        }
}

[[gnu::cold]] inline void override_statistics(CompiledModel& m, const SpecStatistic& given) {
    m.stat.meaninertia = given.meaninertia.value_or(m.stat.meaninertia);
    m.stat.meanmass = given.meanmass.value_or(m.stat.meanmass);
    m.stat.meansize = given.meansize.value_or(m.stat.meansize);
    m.stat.extent = given.extent.value_or(m.stat.extent);
    m.stat.center = given.center.value_or(m.stat.center);
}

}  // namespace mjx::inner::compiler
