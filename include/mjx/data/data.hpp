// Data<S, M>: everything that changes during simulation, for the scalar S and the model M. MuJoCo's names and conventions.
//
// Fields are grouped by the stage that computes them; the list at the end names each once more with that stage and drives dump,
// copy, cast, snapshot and the tests. For a fixed model Data is one trivially copyable object of static size; for a runtime
// model it owns one buffer, sized when it is made: no stage allocates.
#pragma once

#include "mjx/data/contact.hpp"
#include "mjx/fwd.hpp"
#include "mjx/model/array.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace mjx {

// The size a field has, in terms of the model.
enum class Dim {
    one, nq, nv, nu, na, nbody, njnt, ngeom, nsite, ncam, nlight, nmocap, neq, ntendon, nJten, nwrap2, nM, nout, nJmom,
    nsensordata, nhistory, nuserdata, nconmax, nbroad, broad_tree, broad_pair, njmax, nJmax, ntree, solver_matrix, solver_bits, warnings
};

// Room for the largest matrix a solver builds: Newton's Hessian with its fill, a full triangle unless there are many dofs; or the
// rows J M^(-1/2) of the dual solvers, each over the chains of two bodies, and their products within a block.
template <class M>
constexpr int solver_matrix_size(const M& m) {
    const int triangle = m.nv * (m.nv + 1) / 2, bounded = m.nM + 512 * m.nv;
    int chain = 0;
    for (int b = 0; b < m.nbody; ++b) chain = chain < m.B_rownnz[b] ? m.B_rownnz[b] : chain;
    const int widest = 2 * chain < m.nv ? 2 * chain : m.nv;
    const int hessian = triangle < bounded ? triangle : bounded, rows = m.njmax * (widest + 6);
    return hessian < rows ? rows : hessian;
}

template <class M>
constexpr int extent(const M& m, Dim dim, int lanes) {
    switch (dim) {
        case Dim::one: return 1;
        case Dim::nq: return m.nq;
        case Dim::nv: return m.nv;
        case Dim::nu: return m.nu;
        case Dim::na: return m.na;
        case Dim::nbody: return m.nbody;
        case Dim::njnt: return m.njnt;
        case Dim::ngeom: return m.ngeom;
        case Dim::nsite: return m.nsite;
        case Dim::ncam: return m.ncam;
        case Dim::nlight: return m.nlight;
        case Dim::nmocap: return m.nmocap;
        case Dim::neq: return m.neq;
        case Dim::ntendon: return m.ntendon;
        case Dim::nJten: return m.nJten;
        case Dim::nwrap2: return 2 * m.nwrap;
        case Dim::nM: return m.nM;
        case Dim::nout: return m.nout;
        case Dim::nJmom: return m.nJmom;
        case Dim::nsensordata: return m.nsensordata;
        case Dim::nhistory: return m.nhistory;
        case Dim::nuserdata: return m.nuserdata;
        case Dim::nconmax: return m.nconmax;
        case Dim::njmax: return m.njmax;
        case Dim::nJmax: return m.nJmax;
        case Dim::nbroad: return m.nbroad;
        case Dim::broad_tree: return 3 * m.nbroad;
        case Dim::broad_pair: return 16 * m.nbroad;
        case Dim::ntree: return m.ntree;
        case Dim::solver_matrix: return solver_matrix_size(m);
        case Dim::solver_bits: return m.nv * ((m.nv + 63) / 64);
        case Dim::warnings: return warning::count * lanes;
    }
    return 0;
}

// How a field is stored: inside Data for fixed models, as a view of Data's buffer for runtime models.
template <class T, class M, Dim D, int Lanes, bool Fixed>
struct field_storage {
    struct type : Span<T> {
        static constexpr Dim dim = D;
    };
};
template <class T, class M, Dim D, int Lanes>
struct field_storage<T, M, D, Lanes, true> {
    using type = FixedArray<T, extent(M{}, D, Lanes)>;
};

template <class S, class TheModel>
struct DataFields {
    template <class T, Dim D>
    using field = typename field_storage<T, TheModel, D, lanes_v<S>, TheModel::is_fixed>::type;

    // input: what a State snapshot holds
    field<S, Dim::one> time;  // s
    field<S, Dim::nq> qpos;  // coordinates
    field<S, Dim::nv> qvel;  // velocities
    field<S, Dim::na> act;  // activations
    field<S, Dim::nhistory> history;  // delayed controls and sensors
    field<S, Dim::nv> qacc_warmstart;  // where the solver starts
    field<S, Dim::nu> ctrl;  // controls
    field<S, Dim::nv> qfrc_applied;  // user's generalized force
    field<Vec6<S>, Dim::nbody> xfrc_applied;  // user's force then torque at the com, world
    field<int, Dim::neq> eq_active;  // equality constraints switched on
    field<Vec3<S>, Dim::nmocap> mocap_pos;  // world
    field<Quat<S>, Dim::nmocap> mocap_quat;  // world
    field<S, Dim::nuserdata> userdata;  // not touched

    // kinematics: frames in the world
    field<Vec3<S>, Dim::nbody> xpos;  // body frame
    field<Quat<S>, Dim::nbody> xquat;  // body frame
    field<Mat3<S>, Dim::nbody> xmat;  // body frame
    field<Vec3<S>, Dim::nbody> xipos;  // centre of mass
    field<Mat3<S>, Dim::nbody> ximat;  // principal axes
    field<Vec3<S>, Dim::njnt> xanchor;  // joint anchor
    field<Vec3<S>, Dim::njnt> xaxis;  // joint axis
    field<S, Dim::njnt> jnt_angle;  // half the angle of each hinge
    field<S, Dim::njnt> jnt_sin;
    field<S, Dim::njnt> jnt_cos;
    field<Vec3<S>, Dim::ngeom> geom_xpos;
    field<Mat3<S>, Dim::ngeom> geom_xmat;
    field<Vec3<S>, Dim::nsite> site_xpos;
    field<Mat3<S>, Dim::nsite> site_xmat;
    field<Vec3<S>, Dim::ncam> cam_xpos;
    field<Mat3<S>, Dim::ncam> cam_xmat;
    field<Vec3<S>, Dim::nlight> light_xpos;
    field<Vec3<S>, Dim::nlight> light_xdir;

    // com: spatial quantities about the com of the tree, world axes, rotation first
    field<Vec3<S>, Dim::nbody> subtree_com;  // world
    field<Inertia<S>, Dim::nbody> cinert;  // body inertia
    field<Vec6<S>, Dim::nv> cdof;  // motion axis of each dof

    // tendon
    field<S, Dim::ntendon> ten_length;
    field<S, Dim::nJten> ten_J;  // values at ten_J_colind
    field<int, Dim::ntendon> ten_wrapadr;  // path of spatial tendons: first point
    field<int, Dim::ntendon> ten_wrapnum;
    field<int, Dim::nwrap2> wrap_obj;  // geom id; -1 site, -2 pulley
    field<Vec3<S>, Dim::nwrap2> wrap_xpos;  // world

    // crba and factor
    field<Inertia<S>, Dim::nbody> crb;  // inertia of the subtree
    field<S, Dim::nM> M;  // inertia matrix, lower triangle by rows of M_colind
    field<S, Dim::nM> qLD;  // L of M = LᵀDL, D on the diagonal
    field<S, Dim::nv> qLDiagInv;  // 1/D

    // collision
    field<int, Dim::one> ncon;  // contacts found
    field<Contact<S>, Dim::nconmax> contact;
    field<Vec<S, 4>, Dim::ngeom> geom_bound;  // bounding sphere: centre, radius with margin and gap; world
    field<Vec6<value_t<S>>, Dim::nbroad> broad_box;  // broad phase: box of each geom, least and greatest corner, world
    field<Vec6<value_t<S>>, Dim::broad_tree> broad_tree;  // boxes of the tree above them
    field<int, Dim::nbroad> broad_leaf;  // geom at each leaf
    field<int, Dim::nbroad> broad_swap;
    field<int, Dim::nbroad> broad_high;  // place of each geom along the space-filling curve, upper and lower 30 bits
    field<int, Dim::nbroad> broad_low;
    field<Vec<int, 2>, Dim::broad_pair> broad_pair;  // pairs whose boxes meet
    field<Vec<int, 2>, Dim::broad_pair> broad_sorted;

    // constraint rows
    field<int, Dim::one> ne;  // equality rows
    field<int, Dim::one> nf;  // friction rows
    field<int, Dim::one> nl;  // limit rows
    field<int, Dim::one> nefc;  // all rows
    field<int, Dim::one> nJ;  // entries of efc_J in use
    field<int, Dim::njmax> efc_type;  // cnstr::
    field<int, Dim::njmax> efc_id;  // object of that type
    field<int, Dim::one> nblock;  // blocks of rows that share their columns, see constraint/block.hpp
    field<int, Dim::njmax> block_row;  // first row
    field<int, Dim::njmax> block_dim;  // rows of efc_J
    field<int, Dim::njmax> block_nnz;  // columns
    field<int, Dim::njmax> block_J;  // where its columns and values start
    field<int, Dim::nJmax> efc_J_colind;
    field<S, Dim::nJmax> efc_J;  // by block, row after row
    field<S, Dim::njmax> efc_pos;
    field<S, Dim::njmax> efc_margin;
    field<S, Dim::njmax> efc_frictionloss;
    field<S, Dim::njmax> efc_diagApprox;
    field<Vec<S, 4>, Dim::njmax> efc_KBIP;  // stiffness, damping, impedance, its slope
    field<S, Dim::njmax> efc_D;  // 0 where a lane has no such row
    field<S, Dim::njmax> efc_R;

    // transmission
    field<S, Dim::nout> actuator_length;
    field<S, Dim::nJmom> actuator_moment;  // values at moment_colind

    // velocity
    field<S, Dim::ntendon> ten_velocity;
    field<S, Dim::nout> actuator_velocity;
    field<Vec6<S>, Dim::nbody> cvel;  // body velocity
    field<Vec6<S>, Dim::nv> cdof_dot;
    field<S, Dim::njmax> efc_vel;  // J qvel
    field<S, Dim::njmax> efc_aref;  // reference acceleration

    // rne
    field<S, Dim::nv> qfrc_bias;  // Coriolis, centrifugal, gravity

    // passive
    field<S, Dim::nv> qfrc_spring;
    field<S, Dim::nv> qfrc_damper;
    field<S, Dim::nv> qfrc_gravcomp;
    field<S, Dim::nv> qfrc_fluid;
    field<S, Dim::nv> qfrc_adhesion;
    field<S, Dim::nv> qfrc_passive;  // sum

    // energy and subtree momentum
    field<Vec<S, 2>, Dim::one> energy;  // potential, kinetic
    field<Vec3<S>, Dim::nbody> subtree_linvel;  // world
    field<Vec3<S>, Dim::nbody> subtree_angmom;  // about the subtree's com, world

    // actuation
    field<S, Dim::na> act_dot;
    field<S, Dim::nout> actuator_force;
    field<S, Dim::nv> qfrc_actuator;

    // acceleration
    field<S, Dim::nv> qfrc_smooth;  // all but constraints
    field<S, Dim::nv> qacc_smooth;

    // solver
    field<S, Dim::njmax> efc_b;  // J qacc_smooth - aref
    field<S, Dim::njmax> efc_force;
    field<S, Dim::nv> qfrc_constraint;  // Jᵀ efc_force
    field<S, Dim::nv> qacc;
    field<int, Dim::one> solver_niter;  // iterations taken
    field<S, Dim::one> solver_cost;
    field<S, Dim::one> solver_gradient;  // norm, scaled

    // solver: scratch, without derivatives
    field<value_part_t<S>, Dim::njmax> sol_jar;  // J qacc - aref
    field<value_part_t<S>, Dim::njmax> sol_jv;  // J search
    field<value_part_t<S>, Dim::njmax> sol_weight;  // D of the rows in their quadratic zone
    field<value_part_t<S>, Dim::njmax> sol_old;  // forces of the sweep before (dual solvers)
    field<value_part_t<S>, Dim::njmax> sol_mid;  // forces the sweep started from (dual solvers)
    field<value_part_t<S>, Dim::njmax> sol_aux;  // with the two above: the polynomials of elliptic cones (line search)
    field<value_part_t<S>, Dim::nv> sol_qacc;
    field<value_part_t<S>, Dim::nv> sol_Ma;  // M qacc
    field<value_part_t<S>, Dim::nv> sol_Mv;  // M search
    field<value_part_t<S>, Dim::nv> sol_grad;
    field<value_part_t<S>, Dim::nv> sol_Mgrad;  // preconditioned gradient
    field<value_part_t<S>, Dim::nv> sol_search;
    field<value_part_t<S>, Dim::nv> sol_gradold;
    field<value_part_t<S>, Dim::nv> sol_Mgradold;
    field<value_part_t<S>, Dim::solver_matrix> sol_H;  // Hessian and its factor; rows of the dual solvers
    field<value_part_t<S>, Dim::nv> sol_HDiagInv;
    field<int, Dim::solver_matrix> sol_H_colind;
    field<int, Dim::nv> sol_H_rowadr;
    field<int, Dim::nv> sol_H_rownnz;
    field<std::uint64_t, Dim::solver_bits> sol_H_bits;  // columns of each row
    field<int, Dim::njmax> block_Y;  // where the dual solvers' rows of a block start in sol_H
    field<int, Dim::njmax> block_Ynnz;  // columns of these rows
    field<int, Dim::one> ncache;  // contact forces of the step before, for solvers that start from them
    field<int, Dim::nconmax> cache_geom1;
    field<int, Dim::nconmax> cache_geom2;
    field<Vec3<value_part_t<S>>, Dim::nconmax> cache_cell;  // world position in centimetres, rounded down
    field<Vec6<value_part_t<S>>, Dim::nconmax> cache_force;  // contact frame
    field<int, Dim::one> nisland;
    field<int, Dim::ntree> tree_island;  // island of a tree or -1
    field<int, Dim::ntree> island_tree;  // trees by island
    field<int, Dim::ntree> island_treeadr;
    field<int, Dim::ntree> island_treenum;
    field<int, Dim::njmax> island_block;  // blocks by island
    field<int, Dim::ntree> island_blockadr;
    field<int, Dim::ntree> island_blocknum;
    field<int, Dim::njmax> run_first;  // runs of consecutive rows of one law, by island
    field<int, Dim::njmax> run_last;
    field<int, Dim::njmax> run_law;
    field<int, Dim::ntree> island_runadr;
    field<int, Dim::ntree> island_runnum;

    // post: after the acceleration
    field<Vec6<S>, Dim::nbody> cacc;  // com-based acceleration
    field<Vec6<S>, Dim::nbody> cfrc_int;  // force through the joint from the parent
    field<Vec6<S>, Dim::nbody> cfrc_ext;  // external force
    field<S, Dim::nv> qfrc_inverse;
    field<S, Dim::nsensordata> sensordata;

    // integrator: scratch
    field<S, Dim::nM> qH;  // factor of M + h D
    field<S, Dim::nv> qHDiagInv;
    field<S, Dim::nq> step_qpos;
    field<S, Dim::nv> step_qvel;
    field<S, Dim::na> step_act;
    field<S, Dim::nv> sum_qvel;
    field<S, Dim::nv> sum_qacc;
    field<S, Dim::na> sum_act_dot;
    field<S, Dim::nM> qDeriv;  // d(qfrc_smooth)/d qvel, lower triangle by rows of M_colind
    field<S, Dim::nM> qDeriv_upper;  // the upper one: entry (column, row)
    field<S, Dim::nM> qH_upper;  // upper factor when M + h D is not symmetric
    field<S, Dim::nv> work_nv;
    field<Vec6<S>, Dim::nbody> work_body;
    field<Vec6<S>, Dim::nbody> work_body2;
    field<Mat3<S>, Dim::nbody> work_mat;
    field<Vec6<S>, Dim::nv> work_dof;
    field<S, Dim::nsensordata> work_sensor;  // sensor values on their way into a delay
    field<S, Dim::nu> work_ctrl;  // controls after delay, clamping and slew limits

    // warnings, per lane
    field<int, Dim::warnings> warning;  // counts of warning::
};

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
    f("sol_HDiagInv", Stage::solver, d.sol_HDiagInv...);
    f("sol_H_colind", Stage::solver, d.sol_H_colind...);
    f("sol_H_rowadr", Stage::solver, d.sol_H_rowadr...);
    f("sol_H_rownnz", Stage::solver, d.sol_H_rownnz...);
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

// Fields of fixed models: trivially copyable, no heap. Starts at zero; reset() gives it the model's initial state.
template <class S, class M>
    requires(M::is_fixed)
struct Data<S, M> : DataFields<S, M> {
    using scalar = S;
    using model = M;

    Data() = default;
    explicit Data(const M&) {
        for_each_field([](const char*, Stage, auto& x) {
            for (auto& item : x) std::memset(static_cast<void*>(&item), 0, sizeof(item));
        }, *this);
    }
};

template <class S, class M>
struct Data : DataFields<S, M> {
    using scalar = S;
    using model = M;
    static_assert(mjx::scalar<S>, "the first parameter of Simulator and Data must be float, double, mjx::dual or mjx::pack");

    explicit Data(const M& m) {
        for_each_field([&](const char*, Stage, auto& x) { x.count = extent(m, std::remove_cvref_t<decltype(x)>::dim, lanes_v<S>); }, *this);
        allocate();
    }
    Data(const Data& other) : DataFields<S, M>(other) {
        allocate();
        std::memcpy(buffer.get(), other.buffer.get(), bytes);
    }
    Data(Data&&) noexcept = default;
    Data& operator=(const Data& other) {
        if (bytes == other.bytes)
            std::memcpy(buffer.get(), other.buffer.get(), bytes);
        else
            *this = Data(other);
        return *this;
    }
    Data& operator=(Data&&) noexcept = default;

  private:
    static constexpr std::size_t alignment = 64;
    struct aligned_delete {
        void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t(alignment)); }
    };
    std::unique_ptr<std::byte, aligned_delete> buffer;
    std::size_t bytes = 0;

    // Lays the fields out one after another, each at a cache line.
    void allocate() {
        const auto padded = [](const auto& x) {
            using T = typename std::remove_cvref_t<decltype(x)>::value_type;
            return (static_cast<std::size_t>(x.count) * sizeof(T) + alignment - 1) / alignment * alignment;
        };
        bytes = 0;
        for_each_field([&](const char*, Stage, auto& x) { bytes += padded(x); }, *this);
        buffer.reset(static_cast<std::byte*>(::operator new(bytes, std::align_val_t(alignment))));
        std::memset(buffer.get(), 0, bytes);
        std::byte* next = buffer.get();
        for_each_field([&](const char*, Stage, auto& x) {
            using T = typename std::remove_cvref_t<decltype(x)>::value_type;
            x.first = reinterpret_cast<T*>(next);
            next += padded(x);
        }, *this);
    }
};

}  // namespace mjx
