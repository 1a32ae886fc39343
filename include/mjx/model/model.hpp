// Model<Real, Joints>: everything that does not change during simulation, with MuJoCo's names, units and conventions.
//
// Made by compile(Spec) (from MJCF, URDF or C++), read by every stage. Fixed models have the same members as constants, so
// stages are written against either. Comments give the frame or the number of entries where the name does not.
#pragma once

#include "mjx/fwd.hpp"
#include "mjx/model/array.hpp"
#include "mjx/model/names.hpp"
#include "mjx/model/option.hpp"

#include <string>

namespace mjx {

template <class Real>
struct ModelSizes {
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
};

template <class Real>
struct ModelTables {
    // default configuration
    Table<Real> qpos0;  // position at rest (nq)
    Table<Real> qpos_spring;  // where joint springs rest (nq)

    // bodies
    Table<int> body_parentid;  // parent body
    Table<int> body_rootid;  // ancestor that is a child of the world
    Table<int> body_weldid;  // top ancestor without joints in between
    Table<int> body_mocapid;  // mocap id or -1
    Table<int> body_jntnum;
    Table<int> body_jntadr;  // first joint or -1
    Table<int> body_dofnum;
    Table<int> body_dofadr;  // first dof or -1
    Table<int> body_treeid;  // kinematic tree or -1 if static
    Table<int> body_geomnum;
    Table<int> body_geomadr;  // first geom or -1
    Table<int> body_sameframe;  // whether the principal axes are the body's, sameframe::
    Table<int> body_turned;  // whether body_quat is other than the identity
    Table<Vec3<Real>> body_pos;  // in the parent's frame
    Table<Quat<Real>> body_quat;  // in the parent's frame
    Table<Vec3<Real>> body_ipos;  // centre of mass, body frame
    Table<Quat<Real>> body_iquat;  // principal axes, body frame
    Table<Real> body_mass;
    Table<Real> body_subtreemass;
    Table<Vec3<Real>> body_inertia;  // principal moments
    Table<Vec<Real, 2>> body_invweight0;  // mean inverse inertia at qpos0: translation, rotation
    Table<Real> body_gravcomp;  // antigravity force in body weights
    Table<int> B_rownnz;  // number of dofs that move the body
    Table<int> B_rowadr;  // where they start in B_colind
    Table<int> B_colind;  // dofs from the root to the body, ascending (nB)

    // joints
    Table<int> jnt_type;  // jnt::
    Table<int> jnt_qposadr;
    Table<int> jnt_dofadr;
    Table<int> jnt_bodyid;
    Table<int> jnt_actuatorid;  // actuator whose damping and armature the joint carries, or -1
    Table<int> jnt_group;
    Table<int> jnt_limited;
    Table<int> jnt_actfrclimited;
    Table<int> jnt_actgravcomp;  // gravity compensation counts as actuator force
    Table<Vec<Real, nref>> jnt_solref;
    Table<Vec<Real, nimp>> jnt_solimp;
    Table<Vec3<Real>> jnt_pos;  // anchor, body frame
    Table<int> jnt_offset;  // whether the anchor is away from the body's origin
    Table<Vec3<Real>> jnt_axis;  // body frame, unit
    Table<Real> jnt_stiffness;
    Table<Vec<Real, npoly>> jnt_stiffnesspoly;  // quadratic and cubic terms
    Table<Vec<Real, 2>> jnt_range;
    Table<Vec<Real, 2>> jnt_actfrcrange;
    Table<Real> jnt_margin;

    // dofs
    Table<int> dof_bodyid;
    Table<int> dof_jntid;
    Table<int> dof_parentid;  // previous dof towards the root or -1
    Table<int> dof_treeid;
    Table<int> dof_worldaxis;  // the world axis along which a free joint's dof translates, -1 for other dofs
    Table<int> dof_subtreenum;  // dofs that dof i moves, itself included: i .. i + dof_subtreenum[i] - 1
    Table<Vec<Real, nref>> dof_solref;
    Table<Vec<Real, nimp>> dof_solimp;
    Table<Real> dof_frictionloss;
    Table<Real> dof_armature;
    Table<Real> dof_damping;
    Table<Vec<Real, npoly>> dof_dampingpoly;
    Table<Real> dof_invweight0;  // diagonal of the inverse inertia at qpos0
    Table<Real> dof_M0;  // diagonal of the inertia at qpos0
    Table<Real> dof_length;  // 1 for translations, an approximate length for rotations
    Table<int> M_rownnz;  // entries in row i of the lower triangle of M: the dof's ancestors and itself
    Table<int> M_rowadr;  // where row i starts
    Table<int> M_colind;  // columns, ascending, the diagonal last (nM)

    // kinematic trees
    Table<int> tree_bodyadr;
    Table<int> tree_bodynum;
    Table<int> tree_dofadr;
    Table<int> tree_dofnum;
    Table<int> tree_sleep_policy;

    // geoms
    Table<int> geom_type;  // shape::
    Table<int> geom_contype;
    Table<int> geom_conaffinity;
    Table<int> geom_condim;
    Table<int> geom_bodyid;
    Table<int> geom_dataid;  // mesh or height field, or -1
    Table<int> geom_group;
    Table<int> geom_visible;  // 0: fully transparent, not hit by rays
    Table<int> geom_trimesh;  // a mesh geom collides by its triangles, not by its hull
    Table<int> geom_priority;
    Table<int> geom_sameframe;  // whether the axes are the body's or the principal ones, sameframe::
    Table<int> geom_sdf;  // sdf_kind:: of an sdf geom, -1 for others
    Table<Vec6<Real>> geom_sdfparam;  // its parameters
    Table<Real> geom_solmix;
    Table<Vec<Real, nref>> geom_solref;
    Table<Vec<Real, nimp>> geom_solimp;
    Table<Vec3<Real>> geom_size;
    Table<Vec6<Real>> geom_aabb;  // centre and half sizes, geom frame
    Table<Real> geom_rbound;  // radius of the bounding sphere, 0 for planes
    Table<Vec3<Real>> geom_pos;  // body frame
    Table<Quat<Real>> geom_quat;  // body frame
    Table<Vec3<Real>> geom_friction;  // slide, spin, roll
    Table<Real> geom_margin;
    Table<Real> geom_gap;
    Table<Vec6<Real>> geom_surfacevel;  // linear first, geom frame
    Table<Real> geom_adhesion;
    Table<Vec<Real, nfluid>> geom_fluid;  // ellipsoid fluid model

    // sites, cameras, lights
    Table<int> site_type;
    Table<int> site_bodyid;
    Table<int> site_group;
    Table<int> site_sameframe;
    Table<Vec3<Real>> site_size;
    Table<Vec3<Real>> site_pos;  // body frame
    Table<Quat<Real>> site_quat;  // body frame
    Table<int> cam_mode;
    Table<int> cam_bodyid;
    Table<int> cam_targetbodyid;
    Table<Vec3<Real>> cam_pos;
    Table<Quat<Real>> cam_quat;
    Table<Vec3<Real>> cam_poscom0;
    Table<Vec3<Real>> cam_pos0;
    Table<Mat3<Real>> cam_mat0;
    Table<int> cam_projection;
    Table<Real> cam_fovy;
    Table<Vec<int, 2>> cam_resolution;
    Table<Vec<Real, 2>> cam_sensorsize;
    Table<Vec<Real, 4>> cam_intrinsic;
    Table<int> light_mode;
    Table<int> light_bodyid;
    Table<int> light_targetbodyid;
    Table<Vec3<Real>> light_pos;
    Table<Vec3<Real>> light_dir;
    Table<Vec3<Real>> light_poscom0;
    Table<Vec3<Real>> light_pos0;
    Table<Vec3<Real>> light_dir0;

    // meshes: vertices in the mesh's own frame (principal axes at the centre of mass)
    Table<int> mesh_vertadr;
    Table<int> mesh_vertnum;
    Table<int> mesh_faceadr;
    Table<int> mesh_facenum;
    Table<int> mesh_graphadr;  // convex hull graph or -1
    Table<Vec3<float>> mesh_vert;
    Table<Vec<int, 3>> mesh_face;
    Table<int> mesh_graph;  // numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid
    Table<Vec<int, 27>> mesh_extrema;  // hull vertex furthest in each of the directions {-1, 0, 1}³: where climbs start
    Table<int> mesh_nodeadr;  // first node of the hull graph in mesh_node
    Table<Vec<int, 32>> mesh_node;  // a node and seven neighbours: x, y, z as the bits of floats, then the nodes (collision/support.hpp)
    Table<int> mesh_bvhadr;  // tree of boxes over the faces: first node
    Table<int> mesh_bvhnum;
    Table<Vec<int, 3>> mesh_bvhnode;  // node after the subtree, first face, number of faces (0: inner); relative to the mesh
    Table<Vec6<float>> mesh_bvhbox;  // low and high corner, mesh frame
    Table<int> mesh_gridadr;  // distances on a voxel grid, x fastest, or -1
    Table<Vec<int, 3>> mesh_gridnum;
    Table<Vec6<Real>> mesh_gridbox;  // lowest point and step
    Table<float> mesh_grid;
    Table<Vec3<Real>> mesh_scale;
    Table<Vec3<Real>> mesh_pos;
    Table<Quat<Real>> mesh_quat;
    Table<int> mesh_polynum;  // polygons of the hull: coplanar faces merged
    Table<int> mesh_polyadr;
    Table<Vec3<Real>> mesh_polynormal;
    Table<int> mesh_polyvertadr;
    Table<int> mesh_polyvertnum;
    Table<int> mesh_polyvert;
    Table<int> mesh_polymapadr;
    Table<int> mesh_polymapnum;
    Table<int> mesh_polymap;  // polygons around each vertex

    // height fields
    Table<Vec<Real, 4>> hfield_size;  // x, y, z top, z bottom
    Table<int> hfield_nrow;
    Table<int> hfield_ncol;
    Table<int> hfield_adr;
    Table<float> hfield_data;  // elevation in [0, 1]

    // contact pairs
    Table<int> pair_dim;
    Table<int> pair_geom1;
    Table<int> pair_geom2;
    Table<Vec<Real, nref>> pair_solref;
    Table<Vec<Real, nref>> pair_solreffriction;
    Table<Vec<Real, nimp>> pair_solimp;
    Table<Real> pair_margin;
    Table<Real> pair_gap;
    Table<Real> pair_adhesion;
    Table<Vec<Real, 5>> pair_friction;
    Table<int> exclude_body1;
    Table<int> exclude_body2;
    Table<int> cand_geom1;  // geom pairs that may collide (ncand; empty when there are too many: then the broad phase finds them)
    Table<int> cand_geom2;
    Table<int> cand_pair;  // explicit pair id or -1

    // equality constraints
    Table<int> eq_type;  // eq::
    Table<int> eq_obj1id;
    Table<int> eq_obj2id;
    Table<int> eq_objtype;
    Table<int> eq_active0;
    Table<Vec<Real, nref>> eq_solref;
    Table<Vec<Real, nimp>> eq_solimp;
    Table<Vec<Real, neqdata>> eq_data;

    // tendons
    Table<int> tendon_adr;  // first wrap object
    Table<int> tendon_num;
    Table<int> tendon_actuatorid;
    Table<int> tendon_group;
    Table<int> ten_J_rownnz;
    Table<int> ten_J_rowadr;
    Table<int> ten_J_colind;  // dofs the tendon's length may depend on (nJten)
    Table<int> tendon_limited;
    Table<int> tendon_actfrclimited;
    Table<Vec<Real, nref>> tendon_solref_lim;
    Table<Vec<Real, nimp>> tendon_solimp_lim;
    Table<Vec<Real, nref>> tendon_solref_fri;
    Table<Vec<Real, nimp>> tendon_solimp_fri;
    Table<Vec<Real, 2>> tendon_range;
    Table<Vec<Real, 2>> tendon_actfrcrange;
    Table<Real> tendon_margin;
    Table<Real> tendon_stiffness;
    Table<Vec<Real, npoly>> tendon_stiffnesspoly;
    Table<Real> tendon_damping;
    Table<Vec<Real, npoly>> tendon_dampingpoly;
    Table<Real> tendon_armature;
    Table<Real> tendon_frictionloss;
    Table<Vec<Real, 2>> tendon_lengthspring;  // dead band of the spring
    Table<Real> tendon_length0;
    Table<Real> tendon_invweight0;
    Table<int> wrap_type;  // wrap::
    Table<int> wrap_objid;  // geom, site or joint
    Table<Real> wrap_prm;  // divisor, joint coefficient or side site

    // actuators
    Table<int> actuator_trntype;  // trn::
    Table<int> actuator_dyntype;  // dyn::
    Table<int> actuator_gaintype;  // gain::
    Table<int> actuator_biastype;  // bias::
    Table<int> actuator_ctrladr;  // first control
    Table<int> actuator_ctrlnum;
    Table<int> actuator_ctrlspec;
    Table<int> actuator_outadr;  // first force output
    Table<int> actuator_outnum;
    Table<int> actuator_actadr;  // first activation or -1
    Table<int> actuator_actnum;
    Table<Vec<int, 2>> actuator_trnid;
    Table<Real> actuator_cranklength;
    Table<Vec<Real, ndyn>> actuator_dynprm;
    Table<Vec<Real, ngain>> actuator_gainprm;
    Table<Vec<Real, nbias>> actuator_biasprm;
    Table<int> actuator_actlimited;
    Table<Vec<Real, 2>> actuator_actrange;
    Table<int> actuator_actearly;
    Table<Vec<int, 2>> actuator_history;  // samples, interpolation
    Table<int> actuator_historyadr;
    Table<Real> actuator_delay;
    Table<Real> actuator_damping;
    Table<Vec<Real, npoly>> actuator_dampingpoly;
    Table<Real> actuator_armature;
    Table<int> actuator_group;
    Table<int> actuator_forcelimited;
    Table<Vec<Real, 2>> actuator_forcerange;
    Table<int> actuator_ctrllimited;  // per control (nu)
    Table<Vec<Real, 2>> actuator_ctrlrange;  // per control (nu)
    Table<Vec6<Real>> actuator_gear;  // per output (nout)
    Table<Real> actuator_acc0;  // per output
    Table<Real> actuator_length0;  // per output
    Table<Vec<Real, 2>> actuator_lengthrange;  // per output
    Table<int> moment_rownnz;  // dofs output i may act on
    Table<int> moment_rowadr;
    Table<int> moment_colind;  // (nJmom)

    // sensors
    Table<int> sensor_type;  // sens::
    Table<int> sensor_datatype;
    Table<int> sensor_needstage;
    Table<int> sensor_objtype;
    Table<int> sensor_objid;
    Table<int> sensor_reftype;
    Table<int> sensor_refid;
    Table<Vec<int, nsens>> sensor_intprm;
    Table<int> sensor_dim;
    Table<int> sensor_adr;
    Table<Real> sensor_cutoff;
    Table<Real> sensor_noise;
    Table<Vec<int, 2>> sensor_history;
    Table<int> sensor_historyadr;
    Table<Real> sensor_delay;
    Table<Vec<Real, 2>> sensor_interval;

    // custom fields and keyframes
    Table<int> numeric_adr;
    Table<int> numeric_size;
    Table<Real> numeric_data;
    Table<int> tuple_adr;
    Table<int> tuple_size;
    Table<int> tuple_objtype;
    Table<int> tuple_objid;
    Table<Real> tuple_objprm;
    Table<Real> key_time;
    Table<Real> key_qpos;  // (nkey x nq)
    Table<Real> key_qvel;
    Table<Real> key_act;
    Table<Vec3<Real>> key_mpos;
    Table<Quat<Real>> key_mquat;
    Table<Real> key_ctrl;

    // Tables and nothing else: they are copied and released without regard to what is in them. A copy for which there is no memory ends
    // the program: it need not undo itself.
    ModelTables() {
        for (TableMemory& table : parts_of<TableMemory>(*this)) table.clear();
    }
    ModelTables(const ModelTables& other) noexcept : ModelTables() {
        const auto to = parts_of<TableMemory>(*this);
        const auto from = parts_of<const TableMemory>(other);
        for (int i = 0; i < to.size(); ++i) to[i] = from[i];
    }
    ModelTables(ModelTables&& other) noexcept : ModelTables() { swap(other); }
    ModelTables& operator=(ModelTables other) noexcept {
        swap(other);
        return *this;
    }
    ~ModelTables() {
        for (TableMemory& table : parts_of<TableMemory>(*this)) table.release();
    }

  private:
    void swap(ModelTables& other) noexcept {
        const auto mine = parts_of<TableMemory>(*this), theirs = parts_of<TableMemory>(other);
        for (int i = 0; i < mine.size(); ++i) mine[i].swap(theirs[i]);
    }
};

struct ModelNames {
    std::string name;
    // by kind; an empty string for an unnamed object
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
};

template <class Real, class Joints>
struct Model : ModelSizes<Real>, ModelTables<Real>, ModelNames {
    using real = Real;
    using joints = Joints;
    template <class Other>
    using rebind = Model<Other, Joints>;
    static constexpr bool is_fixed = false;

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
