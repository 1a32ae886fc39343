// The list of everything in Data: one line per field, in the order in which Data has them, with the stage that computes it. Dump, cast,
// snapshots and tests walk it; Data takes from it what each field is.
//
// Each visitor takes f(name, stage, field of each Data given...), so it can walk two of different kinds side by side.
#pragma once

namespace mjx::inner {

// Which stage computes a field.
enum class Stage {
    state, kinematics, com, tendon, crba, collision, constraint, transmission, velocity, rne, passive, energy, actuation,
    acceleration, solver, post, integrator, warning
};

// What a simulation continues from: f(name, stage, field of each Data given...).
template <class F, class... D>
constexpr void for_each_state_field(F&& f, D&&... d) {
    f("time", Stage::state, d.time...);
    f("qpos", Stage::state, d.qpos...);
    f("qvel", Stage::state, d.qvel...);
    f("act", Stage::state, d.act...);
    f("history", Stage::state, d.history...);
    f("qacc_warmstart", Stage::state, d.qacc_warmstart...);
    f("ctrl", Stage::state, d.ctrl...);
    f("qfrc_applied", Stage::state, d.qfrc_applied...);
    f("xfrc_applied", Stage::state, d.xfrc_applied...);
    f("eq_active", Stage::state, d.eq_active...);
    f("mocap_pos", Stage::state, d.mocap_pos...);
    f("mocap_quat", Stage::state, d.mocap_quat...);
    f("userdata", Stage::state, d.userdata...);
    f("tree_asleep", Stage::state, d.tree_asleep...);
    f("sleep_qpos", Stage::state, d.sleep_qpos...);
}

// The list of all fields.
template <class F, class... D>
constexpr void for_each_field(F&& f, D&&... d) {
    for_each_state_field(f, d...);
    f("xpos", Stage::kinematics, d.xpos...);
    f("xquat", Stage::kinematics, d.xquat...);
    f("xmat", Stage::kinematics, d.xmat...);
    f("xipos", Stage::kinematics, d.xipos...);
    f("ximat", Stage::kinematics, d.ximat...);
    f("xanchor", Stage::kinematics, d.xanchor...);
    f("xaxis", Stage::kinematics, d.xaxis...);
    f("jnt_angle", Stage::kinematics, d.jnt_angle...);
    f("jnt_sin", Stage::kinematics, d.jnt_sin...);
    f("jnt_cos", Stage::kinematics, d.jnt_cos...);
    f("geom_xpos", Stage::kinematics, d.geom_xpos...);
    f("geom_xmat", Stage::kinematics, d.geom_xmat...);
    f("site_xpos", Stage::kinematics, d.site_xpos...);
    f("site_xmat", Stage::kinematics, d.site_xmat...);
    f("cam_xpos", Stage::kinematics, d.cam_xpos...);
    f("cam_xmat", Stage::kinematics, d.cam_xmat...);
    f("light_xpos", Stage::kinematics, d.light_xpos...);
    f("light_xdir", Stage::kinematics, d.light_xdir...);
    f("subtree_com", Stage::com, d.subtree_com...);
    f("cinert", Stage::com, d.cinert...);
    f("cdof", Stage::com, d.cdof...);
    f("ten_length", Stage::tendon, d.ten_length...);
    f("ten_J", Stage::tendon, d.ten_J...);
    f("ten_wrapadr", Stage::tendon, d.ten_wrapadr...);
    f("ten_wrapnum", Stage::tendon, d.ten_wrapnum...);
    f("wrap_obj", Stage::tendon, d.wrap_obj...);
    f("wrap_xpos", Stage::tendon, d.wrap_xpos...);
    f("crb", Stage::crba, d.crb...);
    f("M", Stage::crba, d.M...);
    f("qLD", Stage::crba, d.qLD...);
    f("qLDiagInv", Stage::crba, d.qLDiagInv...);
    f("ncon", Stage::collision, d.ncon...);
    f("contact", Stage::collision, d.contact...);
    f("geom_bound", Stage::collision, d.geom_bound...);
    f("broad_box", Stage::collision, d.broad_box...);
    f("broad_tree", Stage::collision, d.broad_tree...);
    f("broad_leaf", Stage::collision, d.broad_leaf...);
    f("broad_swap", Stage::collision, d.broad_swap...);
    f("broad_high", Stage::collision, d.broad_high...);
    f("broad_low", Stage::collision, d.broad_low...);
    f("broad_pair", Stage::collision, d.broad_pair...);
    f("broad_sorted", Stage::collision, d.broad_sorted...);
    f("ne", Stage::constraint, d.ne...);
    f("nf", Stage::constraint, d.nf...);
    f("nl", Stage::constraint, d.nl...);
    f("nefc", Stage::constraint, d.nefc...);
    f("nJ", Stage::constraint, d.nJ...);
    f("efc_type", Stage::constraint, d.efc_type...);
    f("efc_id", Stage::constraint, d.efc_id...);
    f("nblock", Stage::constraint, d.nblock...);
    f("block_row", Stage::constraint, d.block_row...);
    f("block_dim", Stage::constraint, d.block_dim...);
    f("block_nnz", Stage::constraint, d.block_nnz...);
    f("block_J", Stage::constraint, d.block_J...);
    f("block_dofs", Stage::constraint, d.block_dofs...);
    f("efc_J_colind", Stage::constraint, d.efc_J_colind...);
    f("efc_J", Stage::constraint, d.efc_J...);
    f("efc_pos", Stage::constraint, d.efc_pos...);
    f("efc_margin", Stage::constraint, d.efc_margin...);
    f("efc_frictionloss", Stage::constraint, d.efc_frictionloss...);
    f("efc_diagApprox", Stage::constraint, d.efc_diagApprox...);
    f("efc_KBIP", Stage::constraint, d.efc_KBIP...);
    f("efc_D", Stage::constraint, d.efc_D...);
    f("efc_R", Stage::constraint, d.efc_R...);
    f("actuator_length", Stage::transmission, d.actuator_length...);
    f("actuator_moment", Stage::transmission, d.actuator_moment...);
    f("ten_velocity", Stage::velocity, d.ten_velocity...);
    f("actuator_velocity", Stage::velocity, d.actuator_velocity...);
    f("cvel", Stage::velocity, d.cvel...);
    f("cdof_dot", Stage::velocity, d.cdof_dot...);
    f("efc_vel", Stage::velocity, d.efc_vel...);
    f("efc_aref", Stage::velocity, d.efc_aref...);
    f("qfrc_bias", Stage::rne, d.qfrc_bias...);
    f("qfrc_spring", Stage::passive, d.qfrc_spring...);
    f("qfrc_damper", Stage::passive, d.qfrc_damper...);
    f("qfrc_gravcomp", Stage::passive, d.qfrc_gravcomp...);
    f("qfrc_fluid", Stage::passive, d.qfrc_fluid...);
    f("qfrc_adhesion", Stage::passive, d.qfrc_adhesion...);
    f("qfrc_passive", Stage::passive, d.qfrc_passive...);
    f("energy", Stage::energy, d.energy...);
    f("subtree_linvel", Stage::energy, d.subtree_linvel...);
    f("subtree_angmom", Stage::energy, d.subtree_angmom...);
    f("act_dot", Stage::actuation, d.act_dot...);
    f("actuator_force", Stage::actuation, d.actuator_force...);
    f("qfrc_actuator", Stage::actuation, d.qfrc_actuator...);
    f("qfrc_smooth", Stage::acceleration, d.qfrc_smooth...);
    f("qacc_smooth", Stage::acceleration, d.qacc_smooth...);
    f("efc_b", Stage::solver, d.efc_b...);
    f("efc_force", Stage::solver, d.efc_force...);
    f("qfrc_constraint", Stage::solver, d.qfrc_constraint...);
    f("qacc", Stage::solver, d.qacc...);
    f("solver_niter", Stage::solver, d.solver_niter...);
    f("solver_cost", Stage::solver, d.solver_cost...);
    f("solver_gradient", Stage::solver, d.solver_gradient...);
    f("sol_jar", Stage::solver, d.sol_jar...);
    f("sol_jv", Stage::solver, d.sol_jv...);
    f("sol_weight", Stage::solver, d.sol_weight...);
    f("sol_old", Stage::solver, d.sol_old...);
    f("sol_mid", Stage::solver, d.sol_mid...);
    f("sol_aux", Stage::solver, d.sol_aux...);
    f("sol_qacc", Stage::solver, d.sol_qacc...);
    f("sol_Ma", Stage::solver, d.sol_Ma...);
    f("sol_Mv", Stage::solver, d.sol_Mv...);
    f("sol_grad", Stage::solver, d.sol_grad...);
    f("sol_Mgrad", Stage::solver, d.sol_Mgrad...);
    f("sol_search", Stage::solver, d.sol_search...);
    f("sol_gradold", Stage::solver, d.sol_gradold...);
    f("sol_Mgradold", Stage::solver, d.sol_Mgradold...);
    f("sol_H", Stage::solver, d.sol_H...);
    f("sol_L", Stage::solver, d.sol_L...);
    f("sol_HDiagInv", Stage::solver, d.sol_HDiagInv...);
    f("sol_H_colind", Stage::solver, d.sol_H_colind...);
    f("sol_H_rowadr", Stage::solver, d.sol_H_rowadr...);
    f("sol_H_rownnz", Stage::solver, d.sol_H_rownnz...);
    f("sol_H_place", Stage::solver, d.sol_H_place...);
    f("sol_H_dof", Stage::solver, d.sol_H_dof...);
    f("sol_H_bits", Stage::solver, d.sol_H_bits...);
    f("block_Y", Stage::solver, d.block_Y...);
    f("block_Ynnz", Stage::solver, d.block_Ynnz...);
    f("ncache", Stage::solver, d.ncache...);
    f("cache_geom1", Stage::solver, d.cache_geom1...);
    f("cache_geom2", Stage::solver, d.cache_geom2...);
    f("cache_cell", Stage::solver, d.cache_cell...);
    f("cache_force", Stage::solver, d.cache_force...);
    f("nisland", Stage::solver, d.nisland...);
    f("tree_island", Stage::solver, d.tree_island...);
    f("island_tree", Stage::solver, d.island_tree...);
    f("island_treeadr", Stage::solver, d.island_treeadr...);
    f("island_treenum", Stage::solver, d.island_treenum...);
    f("island_block", Stage::solver, d.island_block...);
    f("island_blockadr", Stage::solver, d.island_blockadr...);
    f("island_blocknum", Stage::solver, d.island_blocknum...);
    f("run_first", Stage::solver, d.run_first...);
    f("run_last", Stage::solver, d.run_last...);
    f("run_law", Stage::solver, d.run_law...);
    f("island_runadr", Stage::solver, d.island_runadr...);
    f("island_runnum", Stage::solver, d.island_runnum...);
    f("cacc", Stage::post, d.cacc...);
    f("cfrc_int", Stage::post, d.cfrc_int...);
    f("cfrc_ext", Stage::post, d.cfrc_ext...);
    f("qfrc_inverse", Stage::post, d.qfrc_inverse...);
    f("sensordata", Stage::post, d.sensordata...);
    f("qH", Stage::integrator, d.qH...);
    f("qHDiagInv", Stage::integrator, d.qHDiagInv...);
    f("step_qpos", Stage::integrator, d.step_qpos...);
    f("step_qvel", Stage::integrator, d.step_qvel...);
    f("step_act", Stage::integrator, d.step_act...);
    f("sum_qvel", Stage::integrator, d.sum_qvel...);
    f("sum_qacc", Stage::integrator, d.sum_qacc...);
    f("sum_act_dot", Stage::integrator, d.sum_act_dot...);
    f("qDeriv", Stage::integrator, d.qDeriv...);
    f("qDeriv_upper", Stage::integrator, d.qDeriv_upper...);
    f("qH_upper", Stage::integrator, d.qH_upper...);
    f("work_nv", Stage::integrator, d.work_nv...);
    f("work_body", Stage::integrator, d.work_body...);
    f("work_body2", Stage::integrator, d.work_body2...);
    f("work_mat", Stage::integrator, d.work_mat...);
    f("work_dof", Stage::integrator, d.work_dof...);
    f("work_sensor", Stage::integrator, d.work_sensor...);
    f("work_ctrl", Stage::integrator, d.work_ctrl...);
    f("warning", Stage::warning, d.warning...);
}

}  // namespace mjx::inner
