// The list of everything in Data: one line per field, in the order in which Data has them, with the section that it is in. Dump, cast,
// snapshots and tests walk it; Data takes from it what each field is.
//
// Each visitor takes f(name, section, field of each Data given...), so it can walk two of different kinds side by side.
#pragma once

#include <string_view>

namespace mjx::inner {

// Fields that the stages hand to each other, `inner` in data.hpp: they may change in any version. All others are promised.
constexpr bool is_inner_field(std::string_view name) {
    for (const std::string_view inner :
         {"sleep_qpos", "geom_bound", "nJ", "block_dofs", "ncache", "cache", "qH", "qHDiagInv", "qDeriv", "qDeriv_upper"})
        if (name == inner) return true;
    return false;
}

// The sections of Data: what a simulation continues from, then the fields by the stage that computes them.
enum class Section {
    state,
    kinematics,
    com,
    tendon,
    crba,
    collision,
    constraint,
    transmission,
    velocity,
    rne,
    passive,
    energy,
    actuation,
    acceleration,
    solver,
    post,
    integrator,
    warning
};

// What a simulation continues from: f(name, section, field of each Data given...).
template <class F, class... D>
constexpr void for_each_state_field(F&& f, D&&... d) {
    f("time", Section::state, d.time...);
    f("qpos", Section::state, d.qpos...);
    f("qvel", Section::state, d.qvel...);
    f("act", Section::state, d.act...);
    f("history", Section::state, d.history...);
    f("qacc_warmstart", Section::state, d.qacc_warmstart...);
    f("ctrl", Section::state, d.ctrl...);
    f("qfrc_applied", Section::state, d.qfrc_applied...);
    f("xfrc_applied", Section::state, d.xfrc_applied...);
    f("eq_active", Section::state, d.eq_active...);
    f("mocap_pos", Section::state, d.mocap_pos...);
    f("mocap_quat", Section::state, d.mocap_quat...);
    f("userdata", Section::state, d.userdata...);
    f("tree_asleep", Section::state, d.tree_asleep...);
    f("sleep_qpos", Section::state, d.sleep_qpos...);
}

// The list of all fields.
template <class F, class... D>
constexpr void for_each_field(F&& f, D&&... d) {
    for_each_state_field(f, d...);
    f("xpos", Section::kinematics, d.xpos...);
    f("xquat", Section::kinematics, d.xquat...);
    f("xmat", Section::kinematics, d.xmat...);
    f("xipos", Section::kinematics, d.xipos...);
    f("ximat", Section::kinematics, d.ximat...);
    f("xanchor", Section::kinematics, d.xanchor...);
    f("xaxis", Section::kinematics, d.xaxis...);
    f("jnt_sin", Section::kinematics, d.jnt_sin...);
    f("jnt_cos", Section::kinematics, d.jnt_cos...);
    f("geom_xpos", Section::kinematics, d.geom_xpos...);
    f("geom_xmat", Section::kinematics, d.geom_xmat...);
    f("site_xpos", Section::kinematics, d.site_xpos...);
    f("site_xmat", Section::kinematics, d.site_xmat...);
    f("cam_xpos", Section::kinematics, d.cam_xpos...);
    f("cam_xmat", Section::kinematics, d.cam_xmat...);
    f("light_xpos", Section::kinematics, d.light_xpos...);
    f("light_xdir", Section::kinematics, d.light_xdir...);
    f("subtree_com", Section::com, d.subtree_com...);
    f("cinert", Section::com, d.cinert...);
    f("cdof", Section::com, d.cdof...);
    f("ten_length", Section::tendon, d.ten_length...);
    f("ten_J", Section::tendon, d.ten_J...);
    f("ten_wrapadr", Section::tendon, d.ten_wrapadr...);
    f("ten_wrapnum", Section::tendon, d.ten_wrapnum...);
    f("wrap_obj", Section::tendon, d.wrap_obj...);
    f("wrap_xpos", Section::tendon, d.wrap_xpos...);
    f("crb", Section::crba, d.crb...);
    f("M", Section::crba, d.M...);
    f("qLD", Section::crba, d.qLD...);
    f("qLDiagInv", Section::crba, d.qLDiagInv...);
    f("ncon", Section::collision, d.ncon...);
    f("contact", Section::collision, d.contact...);
    f("geom_bound", Section::collision, d.geom_bound...);
    f("ne", Section::constraint, d.ne...);
    f("nf", Section::constraint, d.nf...);
    f("nl", Section::constraint, d.nl...);
    f("nefc", Section::constraint, d.nefc...);
    f("nJ", Section::constraint, d.nJ...);
    f("efc_type", Section::constraint, d.efc_type...);
    f("efc_id", Section::constraint, d.efc_id...);
    f("nblock", Section::constraint, d.nblock...);
    f("block_row", Section::constraint, d.block_row...);
    f("block_dim", Section::constraint, d.block_dim...);
    f("block_nnz", Section::constraint, d.block_nnz...);
    f("block_J", Section::constraint, d.block_J...);
    f("block_dofs", Section::constraint, d.block_dofs...);
    f("efc_J_colind", Section::constraint, d.efc_J_colind...);
    f("efc_J", Section::constraint, d.efc_J...);
    f("efc_pos", Section::constraint, d.efc_pos...);
    f("efc_margin", Section::constraint, d.efc_margin...);
    f("efc_frictionloss", Section::constraint, d.efc_frictionloss...);
    f("efc_diagA", Section::constraint, d.efc_diagA...);
    f("efc_KBIP", Section::constraint, d.efc_KBIP...);
    f("efc_D", Section::constraint, d.efc_D...);
    f("efc_R", Section::constraint, d.efc_R...);
    f("actuator_length", Section::transmission, d.actuator_length...);
    f("actuator_moment", Section::transmission, d.actuator_moment...);
    f("ten_velocity", Section::velocity, d.ten_velocity...);
    f("actuator_velocity", Section::velocity, d.actuator_velocity...);
    f("cvel", Section::velocity, d.cvel...);
    f("cdof_dot", Section::velocity, d.cdof_dot...);
    f("efc_vel", Section::velocity, d.efc_vel...);
    f("efc_aref", Section::velocity, d.efc_aref...);
    f("qfrc_bias", Section::rne, d.qfrc_bias...);
    f("qfrc_spring", Section::passive, d.qfrc_spring...);
    f("qfrc_damper", Section::passive, d.qfrc_damper...);
    f("qfrc_gravcomp", Section::passive, d.qfrc_gravcomp...);
    f("qfrc_fluid", Section::passive, d.qfrc_fluid...);
    f("qfrc_adhesion", Section::passive, d.qfrc_adhesion...);
    f("qfrc_passive", Section::passive, d.qfrc_passive...);
    f("energy", Section::energy, d.energy...);
    f("subtree_linvel", Section::energy, d.subtree_linvel...);
    f("subtree_angmom", Section::energy, d.subtree_angmom...);
    f("act_dot", Section::actuation, d.act_dot...);
    f("actuator_force", Section::actuation, d.actuator_force...);
    f("qfrc_actuator", Section::actuation, d.qfrc_actuator...);
    f("actuator_ctrl", Section::actuation, d.actuator_ctrl...);
    f("qfrc_smooth", Section::acceleration, d.qfrc_smooth...);
    f("qacc_smooth", Section::acceleration, d.qacc_smooth...);
    f("efc_b", Section::solver, d.efc_b...);
    f("efc_force", Section::solver, d.efc_force...);
    f("qfrc_constraint", Section::solver, d.qfrc_constraint...);
    f("qacc", Section::solver, d.qacc...);
    f("solver_niter", Section::solver, d.solver_niter...);
    f("solver_cost", Section::solver, d.solver_cost...);
    f("solver_gradient", Section::solver, d.solver_gradient...);
    f("ncache", Section::solver, d.ncache...);
    f("cache", Section::solver, d.cache...);
    f("nisland", Section::solver, d.nisland...);
    f("tree_island", Section::solver, d.tree_island...);
    f("island_tree", Section::solver, d.island_tree...);
    f("island_treeadr", Section::solver, d.island_treeadr...);
    f("island_treenum", Section::solver, d.island_treenum...);
    f("cacc", Section::post, d.cacc...);
    f("cfrc_int", Section::post, d.cfrc_int...);
    f("cfrc_ext", Section::post, d.cfrc_ext...);
    f("qfrc_inverse", Section::post, d.qfrc_inverse...);
    f("sensordata", Section::post, d.sensordata...);
    f("qH", Section::integrator, d.qH...);
    f("qHDiagInv", Section::integrator, d.qHDiagInv...);
    f("qDeriv", Section::integrator, d.qDeriv...);
    f("qDeriv_upper", Section::integrator, d.qDeriv_upper...);
    f("warning", Section::warning, d.warning...);
    f("warning_info", Section::warning, d.warning_info...);
}

}  // namespace mjx::inner
