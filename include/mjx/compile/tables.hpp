// From the finished tree to the model's tables: bodies, joints, dofs, kinematic trees, geoms, sites, cameras, lights, and the
// sparsity of everything that follows the tree.
#pragma once

#include "mjx/compile/body.hpp"
#include "mjx/compile/names.hpp"
#include "mjx/compile/sdf.hpp"
#include "mjx/stage/same_frames.hpp"

#include <cmath>

namespace mjx::inner::compiler {

[[gnu::cold]] inline void push_joint(CompiledModel& m, const BodyNode& b, const JointNode& j, int& last_dof) {
    const int id = m.njnt++;
    m.jnt_name.push_back(j.name);
    m.jnt_type.push_back(j.type);
    m.jnt_qposadr.push_back(m.nq);
    m.jnt_dofadr.push_back(m.nv);
    m.jnt_bodyid.push_back(b.id);
    m.jnt_actuatorid.push_back(-1);
    m.jnt_group.push_back(j.group);
    m.jnt_limited.push_back(is_limited(j.limited, j.range));
    m.jnt_actfrclimited.push_back(is_limited(j.actfrclimited, j.actfrcrange));
    m.jnt_actgravcomp.push_back(j.actgravcomp);
    m.jnt_solref.push_back(j.solref_limit);
    m.jnt_solimp.push_back(j.solimp_limit);
    m.jnt_pos.push_back(j.pos);
    m.jnt_axis.push_back(j.axis);
    m.jnt_stiffness.push_back(j.stiffness[0]);
    m.jnt_stiffnesspoly.push_back({{j.stiffness[1], j.stiffness[2]}});
    m.jnt_range.push_back(j.range);
    m.jnt_actfrcrange.push_back(j.actfrcrange);
    m.jnt_margin.push_back(j.margin);

    const auto push_qpos = [&](auto& table, double ref) {
        List<double> q(static_cast<std::size_t>(j.kind->nq));
        j.kind->rest(b.pos, b.quat, ref, q.data());
        for (const double x : q) table.push_back(x);
    };
    push_qpos(m.qpos0, j.ref);
    push_qpos(m.qpos_spring, j.springref);
    m.nq += j.kind->nq;

    for (int k = 0; k < j.kind->nv; ++k) {
        const int dof = m.nv++;
        m.dof_bodyid.push_back(b.id);
        m.dof_jntid.push_back(id);
        m.dof_parentid.push_back(last_dof);
        if (last_dof < 0) ++m.ntree;
        m.dof_treeid.push_back(m.ntree - 1);
        m.dof_solref.push_back(j.solref_friction);
        m.dof_solimp.push_back(j.solimp_friction);
        m.dof_frictionloss.push_back(j.frictionloss);
        m.dof_armature.push_back(j.armature);
        m.dof_damping.push_back(j.damping[0]);
        m.dof_dampingpoly.push_back({{j.damping[1], j.damping[2]}});
        last_dof = dof;
    }
}

[[gnu::cold]] inline void push_geom(CompiledModel& m, const BodyNode& b, const GeomNode& g) {
    ++m.ngeom;
    m.geom_name.push_back(g.name);
    m.geom_type.push_back(g.type);
    m.geom_contype.push_back(g.contype);
    m.geom_conaffinity.push_back(g.conaffinity);
    m.geom_condim.push_back(g.condim);
    m.geom_bodyid.push_back(b.id);
    m.geom_dataid.push_back(g.dataid);
    m.geom_group.push_back(g.group);
    m.geom_visible.push_back(g.rgba[3] != 0);
    m.geom_priority.push_back(g.priority);
    m.geom_solmix.push_back(g.solmix);
    m.geom_solref.push_back(g.solref);
    m.geom_solimp.push_back(g.solimp);
    m.geom_size.push_back(g.size);
    m.geom_mass.push_back(g.geom_mass);
    m.geom_inertia.push_back(g.inertia);
    m.geom_massrule.push_back((g.shellinertia ? massrule::shell : massrule::solid) | (g.mass ? massrule::given : 0));
    m.geom_aabb.push_back(g.aabb);
    m.geom_rbound.push_back(g.rbound);
    m.geom_pos.push_back(g.pos);
    m.geom_quat.push_back(g.quat);
    m.geom_friction.push_back(g.friction);
    m.geom_margin.push_back(g.margin);
    m.geom_gap.push_back(g.gap);
    m.geom_surfacevel.push_back(g.surfacevel);
    m.geom_adhesion.push_back(g.adhesion);
    m.geom_trimesh.push_back(g.trimesh && is_hull(g.type));
    int field = sdf_kind::none;
    if (is_field(g.type)) field = g.sdf.empty() ? static_cast<int>(sdf_kind::mesh) : find_sdf(g.sdf)->type;
    m.geom_sdf.push_back(field);
    m.geom_sdfparam.push_back(sdf_parameters(g));
    m.geom_fluid.push_back(g.fluid);
}

// A material decides over the geom's own color. Those of sites and tendons only have to exist.
[[gnu::cold]] inline void apply_materials(CompiledModel& m, const Tree& tree, const Spec& spec) {
    NameMap clear;
    for (const SpecMaterial& material : spec.materials) clear.add(material.name, material.clear());
    const auto check = [&](const auto& item, const char* kind) {
        if (!item.material.empty() && !clear.contains(item.material))
            fail(item, kind, {"attribute 'material': unknown material ", quoted(item.material)});
        return !item.material.empty();
    };
    int id = 0;
    for (const BodyNode* b : tree.bodies) {
        for (const GeomNode& g : b->geoms) {
            if (check(g, "geom")) m.geom_visible[id] = !clear[g.material];
            ++id;
        }
        for (const SpecSite& s : b->sites) check(s, "site");
    }
    for (const SpecTendon& t : spec.tendons) check(t, "tendon");
}

[[gnu::cold]] inline void push_site(CompiledModel& m, const BodyNode& b, const SiteNode& s) {
    ++m.nsite;
    m.site_name.push_back(s.name);
    m.site_type.push_back(s.type);
    m.site_bodyid.push_back(b.id);
    m.site_group.push_back(s.group);
    m.site_dataid.push_back(s.dataid);
    m.site_size.push_back(s.size);
    m.site_pos.push_back(s.pos);
    m.site_quat.push_back(s.quat);
}

[[gnu::cold]] inline void push_camera(CompiledModel& m, const BodyNode& b, const SpecCamera& s) {
    ++m.ncam;
    m.cam_name.push_back(s.name);
    m.cam_mode.push_back(s.mode);
    m.cam_bodyid.push_back(b.id);
    m.cam_targetbodyid.push_back(-1);
    m.cam_pos.push_back(s.pos);
    m.cam_quat.push_back(s.quat);
    m.cam_projection.push_back(s.orthographic);
    m.cam_resolution.push_back(s.resolution);
    m.cam_sensorsize.push_back({{static_cast<float>(s.sensorsize[0]), static_cast<float>(s.sensorsize[1])}});
    // Focal lengths and principal point; without a sensor MuJoCo puts its default near plane there. It keeps them as floats.
    Vec<float, 4> intrinsic{{0.01f, 0.01f, 0, 0}};
    double fovy = s.fovy;
    if (s.sensorsize[0] > 0 && s.sensorsize[1] > 0) {
        for (int k = 0; k < 2; ++k) {
            const float pixels = static_cast<float>(s.resolution[k]) / static_cast<float>(s.sensorsize[k]);
            const auto length = [&](double in_pixels, double given) {
                return in_pixels != 0 ? static_cast<float>(in_pixels) / pixels : static_cast<float>(given);
            };
            intrinsic[k] = length(s.focal_pixel[k], s.focal_length[k]);
            intrinsic[2 + k] = length(s.principal_pixel[k], s.principal_length[k]);
        }
        fovy = static_cast<double>(std::atan2(static_cast<float>(s.sensorsize[1]) / 2, intrinsic[1])) * 360 / pi;
    }
    m.cam_fovy.push_back(fovy);
    m.cam_intrinsic.push_back(Vec<double, 4>::from(intrinsic));
}

[[gnu::cold]] inline void push_light(CompiledModel& m, const BodyNode& b, const SpecLight& s) {
    ++m.nlight;
    m.light_name.push_back(s.name);
    m.light_mode.push_back(s.mode);
    m.light_bodyid.push_back(b.id);
    m.light_targetbodyid.push_back(-1);
    m.light_pos.push_back(s.pos);
    m.light_dir.push_back(s.dir);
}

[[gnu::cold]] inline void push_body(CompiledModel& m, const BodyNode& b) {
    ++m.nbody;
    const int parent = b.parent ? b.parent->id : 0;
    int dofs = 0;
    for (const JointNode& j : b.joints) dofs += j.kind->nv;
    m.body_name.push_back(b.id == 0 ? "world" : b.name());
    m.body_parentid.push_back(parent);
    m.body_rootid.push_back(parent == 0 ? b.id : m.body_rootid[parent]);
    m.body_weldid.push_back(b.weldid);
    m.body_mocapid.push_back(b.mocap() ? m.nmocap++ : -1);
    m.body_jntnum.push_back(static_cast<int>(b.joints.size()));
    m.body_jntadr.push_back(b.joints.empty() ? -1 : m.njnt);
    m.body_dofnum.push_back(dofs);
    m.body_dofadr.push_back(dofs == 0 ? -1 : m.nv);
    m.body_geomnum.push_back(static_cast<int>(b.geoms.size()));
    m.body_geomadr.push_back(b.geoms.empty() ? -1 : m.ngeom);
    m.body_pos.push_back(b.pos);
    m.body_quat.push_back(b.quat);
    m.body_ipos.push_back(b.ipos);
    m.body_iquat.push_back(b.iquat);
    m.body_mass.push_back(b.mass);
    m.body_inertia.push_back(b.inertia);
    m.body_gravcomp.push_back(b.spec->gravcomp);
    m.body_simple.push_back(b.spec->simple);
}

// Kinematic trees: the bodies and dofs below each body that is the first to move.
[[gnu::cold]] inline void make_trees(CompiledModel& m, const Tree& tree) {
    m.tree_bodyadr.resize(m.ntree, -1);
    m.tree_bodynum.resize(m.ntree);
    m.tree_dofadr.resize(m.ntree, -1);
    m.tree_dofnum.resize(m.ntree);
    m.tree_sleep_policy.resize(m.ntree, sleep_policy::automatic);
    for (int b = 0; b < m.nbody; ++b) {
        const int weld = m.body_weldid[b];
        const int t = m.body_dofnum[weld] > 0 ? m.dof_treeid[m.body_dofadr[weld]] : -1;
        m.body_treeid.push_back(t);
        const BodyNode& node = *tree.bodies[static_cast<std::size_t>(b)];
        if (node.spec->sleep != sleep_policy::automatic) {
            if (b == 0 || t < 0 || t == m.body_treeid[b - 1]) node.fail("sleep is only for moving bodies at the root of a tree");
            m.tree_sleep_policy[t] = node.spec->sleep;
        }
        if (t < 0) continue;
        if (m.tree_bodyadr[t] < 0) m.tree_bodyadr[t] = b;
        ++m.tree_bodynum[t];
    }
    for (int i = 0; i < m.nv; ++i) {
        const int t = m.dof_treeid[i];
        if (m.tree_dofadr[t] < 0) m.tree_dofadr[t] = i;
        ++m.tree_dofnum[t];
    }
}

// Rows of M: a dof, after all its ancestors. Rows of B: the dofs that move a body, from the root.
[[gnu::cold]] inline void make_sparsity(CompiledModel& m, const Spec& spec) {
    const auto check = [&](int entries) {
        if (static_cast<std::size_t>(entries) > spec.budget.numbers)
            fail(spec.where, {"long chains with many bodies are ", over_budget(spec.budget.numbers, "numbers")});
    };
    for (int i = 0; i < m.nv; ++i) {
        check(m.nM);
        const int parent = m.dof_parentid[i];
        m.M_rowadr.push_back(m.nM);
        m.M_rownnz.push_back(parent < 0 ? 1 : m.M_rownnz[parent] + 1);
        if (parent >= 0)
            for (int k = 0; k < m.M_rownnz[parent]; ++k) m.M_colind.push_back(int(m.M_colind[m.M_rowadr[parent] + k]));
        m.M_colind.push_back(i);
        m.nM = m.M_colind.size();
    }
    for (int b = 0; b < m.nbody; ++b) {
        check(m.nB);
        int last = -1;
        const int weld = m.body_weldid[b];
        if (m.body_dofnum[weld] > 0) last = m.body_dofadr[weld] + m.body_dofnum[weld] - 1;
        m.B_rowadr.push_back(m.nB);
        m.B_rownnz.push_back(last < 0 ? 0 : m.M_rownnz[last]);
        for (int k = 0; k < m.B_rownnz[b]; ++k) m.B_colind.push_back(m.M_colind[m.M_rowadr[last] + k]);
        m.nB = m.B_colind.size();
    }
}

// Which dofs translate along a world axis, and how many dofs each one moves: numbered depth first, they follow it.
[[gnu::cold]] inline void describe_dofs(CompiledModel& m) {
    for (int i = 0; i < m.nv; ++i) {
        const int k = i - m.jnt_dofadr[m.dof_jntid[i]];
        m.dof_worldaxis.push_back(m.kind(m.dof_jntid[i]).floats && k < 3 ? k : -1);
    }
    m.dof_subtreenum.resize(m.nv, 1);
    for (int i = m.nv - 1; i >= 0; --i)
        if (m.dof_parentid[i] >= 0) m.dof_subtreenum[m.dof_parentid[i]] += m.dof_subtreenum[i];
}

// Room for the shortcuts of stage/same_frames.hpp.
[[gnu::cold]] inline void size_same_frames(CompiledModel& m) {
    m.body_turned.resize(m.nbody);
    m.body_sameframe.resize(m.nbody);
    m.jnt_offset.resize(m.njnt);
    m.dof_alone.resize(m.nv);
    m.geom_sameframe.resize(m.ngeom);
    m.site_sameframe.resize(m.nsite);
}

// Every joint has as many numbers as the one that gives the most.
[[gnu::cold]] inline void push_joint_users(CompiledModel& m, const Tree& tree) {
    for (const BodyNode* b : tree.bodies)
        for (const JointNode& j : b->joints) m.nuser_jnt = std::max(m.nuser_jnt, static_cast<int>(j.user.size()));
    for (const BodyNode* b : tree.bodies)
        for (const JointNode& j : b->joints) {
            const int end = m.jnt_user.size() + m.nuser_jnt;
            for (const double x : j.user) m.jnt_user.push_back(x);
            m.jnt_user.resize(end);
        }
}

[[gnu::cold]] inline void make_tree_tables(CompiledModel& m, const Tree& tree, const Spec& spec) {
    List<int> last_dof;
    for (const BodyNode* b : tree.bodies) {
        push_body(m, *b);
        int last = b->parent ? last_dof[static_cast<std::size_t>(b->parent->id)] : -1;
        for (const JointNode& j : b->joints) push_joint(m, *b, j, last);
        last_dof.push_back(last);
        for (const GeomNode& g : b->geoms) push_geom(m, *b, g);
        for (const SiteNode& s : b->sites) push_site(m, *b, s);
        for (const SpecCamera& s : b->cameras) push_camera(m, *b, s);
        for (const SpecLight& s : b->lights) push_light(m, *b, s);
    }
    push_joint_users(m, tree);
    make_trees(m, tree);
    make_sparsity(m, spec);
    describe_dofs(m);
    size_same_frames(m);
    mark_same_frames(m);
}

[[gnu::cold]] inline void resolve_targets(CompiledModel& m, const Tree& tree, const Names& names) {
    int camera = 0, light = 0;
    for (const BodyNode* b : tree.bodies) {
        for (const SpecCamera& s : b->cameras) {
            if (!s.target.empty()) m.cam_targetbodyid[camera] = names.require(obj::body, s.target, s, "camera");
            ++camera;
        }
        for (const SpecLight& s : b->lights) {
            if (!s.target.empty()) m.light_targetbodyid[light] = names.require(obj::body, s.target, s, "light");
            ++light;
        }
    }
}

}  // namespace mjx::inner::compiler
