// Model<Real, Joints>: everything that does not change during simulation, with MuJoCo's names, units and conventions.
//
// Made by compile(Spec) (from MJCF, URDF or C++), read by every stage. Fixed models have the same members as constants, so
// stages are written against either. Comments give the frame or the number of entries where the name does not.
#pragma once

#include "mjx/fwd.hpp"
#include "mjx/model/array.hpp"
#include "mjx/model/joint_set.hpp"
#include "mjx/model/names.hpp"
#include "mjx/model/option.hpp"

#include <string>

namespace mjx {

template <class Real, class Joints>
struct Model {
    using real = Real;
    using joints = Joints;
    template <class Other>
    using rebind = Model<Other, Joints>;
    static constexpr bool is_fixed = false;

    std::string name;
    Option<Real> opt;
    Statistic<Real> stat;

    // sizes
    int nq = 0;  // coordinates
    int nv = 0;  // degrees of freedom
    int nu = 0;  // controls
    int nactuator = 0;  // actuators
    int nout = 0;  // actuator force outputs
    int na = 0;  // activations
    int nbody = 0;  // bodies, the world included
    int njnt = 0;  // joints
    int ntree = 0;  // kinematic trees
    int nM = 0;  // entries in the lower triangle of M
    int nB = 0;  // entries in B_colind
    int ngeom = 0;
    int nsite = 0;
    int ncam = 0;
    int nlight = 0;
    int nmesh = 0;
    int nhfield = 0;
    int npair = 0;
    int nexclude = 0;
    int ncand = 0;  // candidate geom pairs listed
    int nbroad = 0;  // geoms in the broad phase; 0 when the candidate pairs are listed
    int neq = 0;
    int ntendon = 0;
    int nJten = 0;
    int nwrap = 0;
    int nJmom = 0;
    int nsensor = 0;
    int nsensordata = 0;
    int nnumeric = 0;
    int ntuple = 0;
    int nkey = 0;
    int nmocap = 0;
    int nhistory = 0;
    int nuserdata = 0;
    int nconmax = 0;  // capacity of one environment: contacts
    int njmax = 0;  // constraint rows
    int nJmax = 0;  // entries of the constraint Jacobian
    int nconlane = 1 << 28;  // where memory is dear, in packs and fixed models, an environment has no more than this
    int njlane = 1 << 28;
    int nJlane = 1 << 28;
    int nconall = 0;  // contacts, rows and entries that all candidate pairs together could make:
    int njall = 0;  // the lanes of a pack never need more
    int nJall = 0;

    // default configuration
    Array<Real> qpos0;  // position at rest (nq)
    Array<Real> qpos_spring;  // where joint springs rest (nq)

    // bodies
    Array<int> body_parentid;  // parent body
    Array<int> body_rootid;  // ancestor that is a child of the world
    Array<int> body_weldid;  // top ancestor without joints in between
    Array<int> body_mocapid;  // mocap id or -1
    Array<int> body_jntnum;
    Array<int> body_jntadr;  // first joint or -1
    Array<int> body_dofnum;
    Array<int> body_dofadr;  // first dof or -1
    Array<int> body_treeid;  // kinematic tree or -1 if static
    Array<int> body_geomnum;
    Array<int> body_geomadr;  // first geom or -1
    Array<int> body_sameframe;  // whether the principal axes are the body's, sameframe::
    Array<int> body_turned;  // whether body_quat is other than the identity
    Array<Vec3<Real>> body_pos;  // in the parent's frame
    Array<Quat<Real>> body_quat;  // in the parent's frame
    Array<Vec3<Real>> body_ipos;  // centre of mass, body frame
    Array<Quat<Real>> body_iquat;  // principal axes, body frame
    Array<Real> body_mass;
    Array<Real> body_subtreemass;
    Array<Vec3<Real>> body_inertia;  // principal moments
    Array<Vec<Real, 2>> body_invweight0;  // mean inverse inertia at qpos0: translation, rotation
    Array<Real> body_gravcomp;  // antigravity force in body weights
    Array<int> B_rownnz;  // number of dofs that move the body
    Array<int> B_rowadr;  // where they start in B_colind
    Array<int> B_colind;  // dofs from the root to the body, ascending (nB)

    // joints
    Array<int> jnt_type;  // jnt::
    Array<int> jnt_qposadr;
    Array<int> jnt_dofadr;
    Array<int> jnt_bodyid;
    Array<int> jnt_actuatorid;  // actuator whose damping and armature the joint carries, or -1
    Array<int> jnt_group;
    Array<int> jnt_limited;
    Array<int> jnt_actfrclimited;
    Array<int> jnt_actgravcomp;  // gravity compensation counts as actuator force
    Array<Vec<Real, nref>> jnt_solref;
    Array<Vec<Real, nimp>> jnt_solimp;
    Array<Vec3<Real>> jnt_pos;  // anchor, body frame
    Array<int> jnt_offset;  // whether the anchor is away from the body's origin
    Array<Vec3<Real>> jnt_axis;  // body frame, unit
    Array<Real> jnt_stiffness;
    Array<Vec<Real, npoly>> jnt_stiffnesspoly;  // quadratic and cubic terms
    Array<Vec<Real, 2>> jnt_range;
    Array<Vec<Real, 2>> jnt_actfrcrange;
    Array<Real> jnt_margin;

    // dofs
    Array<int> dof_bodyid;
    Array<int> dof_jntid;
    Array<int> dof_parentid;  // previous dof towards the root or -1
    Array<int> dof_treeid;
    Array<int> dof_worldaxis;  // the world axis along which a free joint's dof translates, -1 for other dofs
    Array<int> dof_subtreenum;  // dofs that dof i moves, itself included: i .. i + dof_subtreenum[i] - 1
    Array<Vec<Real, nref>> dof_solref;
    Array<Vec<Real, nimp>> dof_solimp;
    Array<Real> dof_frictionloss;
    Array<Real> dof_armature;
    Array<Real> dof_damping;
    Array<Vec<Real, npoly>> dof_dampingpoly;
    Array<Real> dof_invweight0;  // diagonal of the inverse inertia at qpos0
    Array<Real> dof_M0;  // diagonal of the inertia at qpos0
    Array<Real> dof_length;  // 1 for translations, an approximate length for rotations
    Array<int> M_rownnz;  // entries in row i of the lower triangle of M: the dof's ancestors and itself
    Array<int> M_rowadr;  // where row i starts
    Array<int> M_colind;  // columns, ascending, the diagonal last (nM)

    // kinematic trees
    Array<int> tree_bodyadr;
    Array<int> tree_bodynum;
    Array<int> tree_dofadr;
    Array<int> tree_dofnum;
    Array<int> tree_sleep_policy;

    // geoms
    Array<int> geom_type;  // shape::
    Array<int> geom_contype;
    Array<int> geom_conaffinity;
    Array<int> geom_condim;
    Array<int> geom_bodyid;
    Array<int> geom_dataid;  // mesh or height field, or -1
    Array<int> geom_group;
    Array<int> geom_visible;  // 0: fully transparent, not hit by rays
    Array<int> geom_trimesh;  // a mesh geom collides by its triangles, not by its hull
    Array<int> geom_priority;
    Array<int> geom_sameframe;  // whether the axes are the body's or the principal ones, sameframe::
    Array<int> geom_sdf;  // sdf_kind:: of an sdf geom, -1 for others
    Array<Vec6<Real>> geom_sdfparam;  // its parameters
    Array<Real> geom_solmix;
    Array<Vec<Real, nref>> geom_solref;
    Array<Vec<Real, nimp>> geom_solimp;
    Array<Vec3<Real>> geom_size;
    Array<Vec6<Real>> geom_aabb;  // centre and half sizes, geom frame
    Array<Real> geom_rbound;  // radius of the bounding sphere, 0 for planes
    Array<Vec3<Real>> geom_pos;  // body frame
    Array<Quat<Real>> geom_quat;  // body frame
    Array<Vec3<Real>> geom_friction;  // slide, spin, roll
    Array<Real> geom_margin;
    Array<Real> geom_gap;
    Array<Vec6<Real>> geom_surfacevel;  // linear first, geom frame
    Array<Real> geom_adhesion;
    Array<Vec<Real, nfluid>> geom_fluid;  // ellipsoid fluid model

    // sites, cameras, lights
    Array<int> site_type;
    Array<int> site_bodyid;
    Array<int> site_group;
    Array<int> site_sameframe;
    Array<Vec3<Real>> site_size;
    Array<Vec3<Real>> site_pos;  // body frame
    Array<Quat<Real>> site_quat;  // body frame
    Array<int> cam_mode;
    Array<int> cam_bodyid;
    Array<int> cam_targetbodyid;
    Array<Vec3<Real>> cam_pos;
    Array<Quat<Real>> cam_quat;
    Array<Vec3<Real>> cam_poscom0;
    Array<Vec3<Real>> cam_pos0;
    Array<Mat3<Real>> cam_mat0;
    Array<int> cam_projection;
    Array<Real> cam_fovy;
    Array<Vec<int, 2>> cam_resolution;
    Array<Vec<Real, 2>> cam_sensorsize;
    Array<Vec<Real, 4>> cam_intrinsic;
    Array<int> light_mode;
    Array<int> light_bodyid;
    Array<int> light_targetbodyid;
    Array<Vec3<Real>> light_pos;
    Array<Vec3<Real>> light_dir;
    Array<Vec3<Real>> light_poscom0;
    Array<Vec3<Real>> light_pos0;
    Array<Vec3<Real>> light_dir0;

    // meshes: vertices in the mesh's own frame (principal axes at the centre of mass)
    Array<int> mesh_vertadr;
    Array<int> mesh_vertnum;
    Array<int> mesh_faceadr;
    Array<int> mesh_facenum;
    Array<int> mesh_graphadr;  // convex hull graph or -1
    Array<Vec3<float>> mesh_vert;
    Array<Vec<int, 3>> mesh_face;
    Array<int> mesh_graph;  // numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid
    Array<Vec<int, 27>> mesh_extrema;  // hull vertex furthest in each of the directions {-1, 0, 1}³: where climbs start
    Array<int> mesh_nodeadr;  // first node of the hull graph in mesh_node
    Array<Vec<int, 32>> mesh_node;  // a node and seven neighbours: x, y, z as the bits of floats, then the nodes (collision/support.hpp)
    Array<int> mesh_bvhadr;  // tree of boxes over the faces: first node
    Array<int> mesh_bvhnum;
    Array<Vec<int, 3>> mesh_bvhnode;  // node after the subtree, first face, number of faces (0: inner); relative to the mesh
    Array<Vec6<float>> mesh_bvhbox;  // low and high corner, mesh frame
    Array<int> mesh_gridadr;  // distances on a voxel grid, x fastest, or -1
    Array<Vec<int, 3>> mesh_gridnum;
    Array<Vec6<Real>> mesh_gridbox;  // lowest point and step
    Array<float> mesh_grid;
    Array<Vec3<Real>> mesh_scale;
    Array<Vec3<Real>> mesh_pos;
    Array<Quat<Real>> mesh_quat;
    Array<int> mesh_polynum;  // polygons of the hull: coplanar faces merged
    Array<int> mesh_polyadr;
    Array<Vec3<Real>> mesh_polynormal;
    Array<int> mesh_polyvertadr;
    Array<int> mesh_polyvertnum;
    Array<int> mesh_polyvert;
    Array<int> mesh_polymapadr;
    Array<int> mesh_polymapnum;
    Array<int> mesh_polymap;  // polygons around each vertex

    // height fields
    Array<Vec<Real, 4>> hfield_size;  // x, y, z top, z bottom
    Array<int> hfield_nrow;
    Array<int> hfield_ncol;
    Array<int> hfield_adr;
    Array<float> hfield_data;  // elevation in [0, 1]

    // contact pairs
    Array<int> pair_dim;
    Array<int> pair_geom1;
    Array<int> pair_geom2;
    Array<Vec<Real, nref>> pair_solref;
    Array<Vec<Real, nref>> pair_solreffriction;
    Array<Vec<Real, nimp>> pair_solimp;
    Array<Real> pair_margin;
    Array<Real> pair_gap;
    Array<Real> pair_adhesion;
    Array<Vec<Real, 5>> pair_friction;
    Array<int> exclude_body1;
    Array<int> exclude_body2;
    Array<int> cand_geom1;  // geom pairs that may collide (ncand; empty when there are too many: then the broad phase finds them)
    Array<int> cand_geom2;
    Array<int> cand_pair;  // explicit pair id or -1

    // equality constraints
    Array<int> eq_type;  // eq::
    Array<int> eq_obj1id;
    Array<int> eq_obj2id;
    Array<int> eq_objtype;
    Array<int> eq_active0;
    Array<Vec<Real, nref>> eq_solref;
    Array<Vec<Real, nimp>> eq_solimp;
    Array<Vec<Real, neqdata>> eq_data;

    // tendons
    Array<int> tendon_adr;  // first wrap object
    Array<int> tendon_num;
    Array<int> tendon_actuatorid;
    Array<int> tendon_group;
    Array<int> ten_J_rownnz;
    Array<int> ten_J_rowadr;
    Array<int> ten_J_colind;  // dofs the tendon's length may depend on (nJten)
    Array<int> tendon_limited;
    Array<int> tendon_actfrclimited;
    Array<Vec<Real, nref>> tendon_solref_lim;
    Array<Vec<Real, nimp>> tendon_solimp_lim;
    Array<Vec<Real, nref>> tendon_solref_fri;
    Array<Vec<Real, nimp>> tendon_solimp_fri;
    Array<Vec<Real, 2>> tendon_range;
    Array<Vec<Real, 2>> tendon_actfrcrange;
    Array<Real> tendon_margin;
    Array<Real> tendon_stiffness;
    Array<Vec<Real, npoly>> tendon_stiffnesspoly;
    Array<Real> tendon_damping;
    Array<Vec<Real, npoly>> tendon_dampingpoly;
    Array<Real> tendon_armature;
    Array<Real> tendon_frictionloss;
    Array<Vec<Real, 2>> tendon_lengthspring;  // dead band of the spring
    Array<Real> tendon_length0;
    Array<Real> tendon_invweight0;
    Array<int> wrap_type;  // wrap::
    Array<int> wrap_objid;  // geom, site or joint
    Array<Real> wrap_prm;  // divisor, joint coefficient or side site

    // actuators
    Array<int> actuator_trntype;  // trn::
    Array<int> actuator_dyntype;  // dyn::
    Array<int> actuator_gaintype;  // gain::
    Array<int> actuator_biastype;  // bias::
    Array<int> actuator_ctrladr;  // first control
    Array<int> actuator_ctrlnum;
    Array<int> actuator_ctrlspec;
    Array<int> actuator_outadr;  // first force output
    Array<int> actuator_outnum;
    Array<int> actuator_actadr;  // first activation or -1
    Array<int> actuator_actnum;
    Array<Vec<int, 2>> actuator_trnid;
    Array<Real> actuator_cranklength;
    Array<Vec<Real, ndyn>> actuator_dynprm;
    Array<Vec<Real, ngain>> actuator_gainprm;
    Array<Vec<Real, nbias>> actuator_biasprm;
    Array<int> actuator_actlimited;
    Array<Vec<Real, 2>> actuator_actrange;
    Array<int> actuator_actearly;
    Array<Vec<int, 2>> actuator_history;  // samples, interpolation
    Array<int> actuator_historyadr;
    Array<Real> actuator_delay;
    Array<Real> actuator_damping;
    Array<Vec<Real, npoly>> actuator_dampingpoly;
    Array<Real> actuator_armature;
    Array<int> actuator_group;
    Array<int> actuator_forcelimited;
    Array<Vec<Real, 2>> actuator_forcerange;
    Array<int> actuator_ctrllimited;  // per control (nu)
    Array<Vec<Real, 2>> actuator_ctrlrange;  // per control (nu)
    Array<Vec6<Real>> actuator_gear;  // per output (nout)
    Array<Real> actuator_acc0;  // per output
    Array<Real> actuator_length0;  // per output
    Array<Vec<Real, 2>> actuator_lengthrange;  // per output
    Array<int> moment_rownnz;  // dofs output i may act on
    Array<int> moment_rowadr;
    Array<int> moment_colind;  // (nJmom)

    // sensors
    Array<int> sensor_type;  // sens::
    Array<int> sensor_datatype;
    Array<int> sensor_needstage;
    Array<int> sensor_objtype;
    Array<int> sensor_objid;
    Array<int> sensor_reftype;
    Array<int> sensor_refid;
    Array<Vec<int, nsens>> sensor_intprm;
    Array<int> sensor_dim;
    Array<int> sensor_adr;
    Array<Real> sensor_cutoff;
    Array<Real> sensor_noise;
    Array<Vec<int, 2>> sensor_history;
    Array<int> sensor_historyadr;
    Array<Real> sensor_delay;
    Array<Vec<Real, 2>> sensor_interval;

    // custom fields and keyframes
    Array<int> numeric_adr;
    Array<int> numeric_size;
    Array<Real> numeric_data;
    Array<int> tuple_adr;
    Array<int> tuple_size;
    Array<int> tuple_objtype;
    Array<int> tuple_objid;
    Array<Real> tuple_objprm;
    Array<Real> key_time;
    Array<Real> key_qpos;  // (nkey x nq)
    Array<Real> key_qvel;
    Array<Real> key_act;
    Array<Vec3<Real>> key_mpos;
    Array<Quat<Real>> key_mquat;
    Array<Real> key_ctrl;

    // names, by kind; an empty string for an unnamed object
    Array<std::string> body_name;
    Array<std::string> jnt_name;
    Array<std::string> geom_name;
    Array<std::string> site_name;
    Array<std::string> cam_name;
    Array<std::string> light_name;
    Array<std::string> mesh_name;
    Array<std::string> hfield_name;
    Array<std::string> pair_name;
    Array<std::string> exclude_name;
    Array<std::string> eq_name;
    Array<std::string> tendon_name;
    Array<std::string> actuator_name;
    Array<std::string> sensor_name;
    Array<std::string> numeric_name;
    Array<std::string> text_name;
    Array<std::string> tuple_name;
    Array<std::string> key_name;
    Array<std::string> text_data;

    // model.joint("right_knee") is the joint's index; a name that does not exist throws std::invalid_argument
    int body(std::string_view wanted) const { return index_of("body", body_name, wanted); }
    int joint(std::string_view wanted) const { return index_of("joint", jnt_name, wanted); }
    int geom(std::string_view wanted) const { return index_of("geom", geom_name, wanted); }
    int site(std::string_view wanted) const { return index_of("site", site_name, wanted); }
    int camera(std::string_view wanted) const { return index_of("camera", cam_name, wanted); }
    int tendon(std::string_view wanted) const { return index_of("tendon", tendon_name, wanted); }
    int actuator(std::string_view wanted) const { return index_of("actuator", actuator_name, wanted); }
    int sensor(std::string_view wanted) const { return index_of("sensor", sensor_name, wanted); }
    int equality(std::string_view wanted) const { return index_of("equality", eq_name, wanted); }
    int key(std::string_view wanted) const { return index_of("keyframe", key_name, wanted); }
};

}  // namespace mjx
