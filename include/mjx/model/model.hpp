// Model<Real, Joints>: everything that does not change during simulation, with MuJoCo's names, units and conventions.
//
// Made by compile(Spec) (from MJCF, URDF or C++), read by every stage. Fixed models have the same members as constants, so
// stages are written against either. Comments give the frame or the number of entries where the name does not.
#pragma once

#include "mjx/fwd.hpp"
#include "mjx/model/array.hpp"
#include "mjx/model/names.hpp"
#include "mjx/model/option.hpp"

#include <memory>
#include <string>

namespace mjx::inner {

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
    int ncable = 0;  // joints of elastic cables
    int nsensor = 0;
    int nsensordata = 0;
    int nnumeric = 0;
    int ntuple = 0;
    int nkey = 0;
    int nmocap = 0;
    int nhistory = 0;
    int nuserdata = 0;
    int nuser_jnt = 0;  // numbers of jnt_user for each joint
    int nconmax = 0;  // capacity of one environment: contacts
    int njmax = 0;  // constraint rows
    int nJmax = 0;  // entries of the constraint Jacobian
    int nconlane = 1 << 28;  // in packs, where memory is dear, an environment has no more than this
    int njlane = 1 << 28;
    int nJlane = 1 << 28;
    int nconfixed = 1 << 28;  // and in fixed models no more than this
    int njfixed = 1 << 28;
    int nJfixed = 1 << 28;
    int nconall = 0;  // contacts, rows and entries that all candidate pairs together could make:
    int njall = 0;  // the lanes of a pack never need more
    int nJall = 0;
};

template <class Real>
struct ModelTables {
    // default configuration
    ModelTable<Real> qpos0;  // position at rest (nq)
    ModelTable<Real> qpos_spring;  // where joint springs rest (nq)

    // bodies
    ModelTable<int> body_parentid;  // parent body
    ModelTable<int> body_rootid;  // ancestor that is a child of the world
    ModelTable<int> body_weldid;  // top ancestor without joints in between
    ModelTable<int> body_mocapid;  // mocap id or -1
    ModelTable<int> body_jntnum;
    ModelTable<int> body_jntadr;  // first joint or -1
    ModelTable<int> body_dofnum;
    ModelTable<int> body_dofadr;  // first dof or -1
    ModelTable<int> body_treeid;  // kinematic tree or -1 if static
    ModelTable<int> body_geomnum;
    ModelTable<int> body_geomadr;  // first geom or -1
    ModelTable<int> body_sameframe;  // whether the principal axes are the body's, sameframe::
    ModelTable<int> body_simple;  // may be taken for a body that slides along its own axes (stage/constants.hpp)
    ModelTable<int> body_turned;  // whether body_quat is other than the identity
    ModelTable<Vec3<Real>> body_pos;  // in the parent's frame
    ModelTable<Quat<Real>> body_quat;  // in the parent's frame
    ModelTable<Vec3<Real>> body_ipos;  // centre of mass, body frame
    ModelTable<Quat<Real>> body_iquat;  // principal axes, body frame
    ModelTable<Real> body_mass;
    ModelTable<Real> body_subtreemass;
    ModelTable<Vec3<Real>> body_inertia;  // principal moments
    ModelTable<Vec<Real, 2>> body_invweight0;  // mean inverse inertia at qpos0: translation, rotation
    ModelTable<Real> body_gravcomp;  // antigravity force in body weights
    ModelTable<int> B_rownnz;  // number of dofs that move the body
    ModelTable<int> B_rowadr;  // where they start in B_colind
    ModelTable<int> B_colind;  // dofs from the root to the body, ascending (nB)

    // joints
    ModelTable<int> jnt_type;  // the joint's number: jnt::, or that of a joint of the program's own
    ModelTable<int> jnt_qposadr;
    ModelTable<int> jnt_dofadr;
    ModelTable<int> jnt_bodyid;
    ModelTable<int> jnt_actuatorid;  // actuator whose damping and armature the joint carries, or -1
    ModelTable<int> jnt_group;
    ModelTable<int> jnt_limited;
    ModelTable<int> jnt_actfrclimited;
    ModelTable<int> jnt_actgravcomp;  // gravity compensation counts as actuator force
    ModelTable<Vec<Real, nref>> jnt_solref;
    ModelTable<Vec<Real, nimp>> jnt_solimp;
    ModelTable<Vec3<Real>> jnt_pos;  // anchor, body frame
    ModelTable<int> jnt_offset;  // whether the anchor is away from the body's origin
    ModelTable<Vec3<Real>> jnt_axis;  // body frame, unit
    ModelTable<Real> jnt_stiffness;
    ModelTable<Vec<Real, npoly>> jnt_stiffnesspoly;  // quadratic and cubic terms
    ModelTable<Vec<Real, 2>> jnt_range;
    ModelTable<Vec<Real, 2>> jnt_actfrcrange;
    ModelTable<Real> jnt_user;  // parameters for joints and code of the user's own (njnt × nuser_jnt)
    ModelTable<Real> jnt_margin;

    // dofs
    ModelTable<int> dof_bodyid;
    ModelTable<int> dof_jntid;
    ModelTable<int> dof_parentid;  // previous dof towards the root or -1
    ModelTable<int> dof_treeid;
    ModelTable<int> dof_worldaxis;  // the world axis along which a free joint's dof translates, -1 for other dofs
    ModelTable<int> dof_alone;  // what the diagonal of M has of a dof that is coupled to none: a moment 1, 2, 3 or the mass 4; 0 for others
    ModelTable<int> dof_subtreenum;  // dofs that dof i moves, itself included: i .. i + dof_subtreenum[i] - 1
    ModelTable<Vec<Real, nref>> dof_solref;
    ModelTable<Vec<Real, nimp>> dof_solimp;
    ModelTable<Real> dof_frictionloss;
    ModelTable<Real> dof_armature;
    ModelTable<Real> dof_damping;
    ModelTable<Vec<Real, npoly>> dof_dampingpoly;
    ModelTable<Real> dof_invweight0;  // diagonal of the inverse inertia at qpos0
    ModelTable<Real> dof_M0;  // diagonal of the inertia at qpos0
    ModelTable<Real> dof_length;  // 1 for translations, an approximate length for rotations
    ModelTable<int> M_rownnz;  // entries in row i of the lower triangle of M: the dof's ancestors and itself
    ModelTable<int> M_rowadr;  // where row i starts
    ModelTable<int> M_colind;  // columns, ascending, the diagonal last (nM)

    // kinematic trees
    ModelTable<int> tree_bodyadr;
    ModelTable<int> tree_bodynum;
    ModelTable<int> tree_dofadr;
    ModelTable<int> tree_dofnum;
    ModelTable<int> tree_sleep_policy;

    // geoms
    ModelTable<int> geom_type;  // shape::
    ModelTable<int> geom_contype;
    ModelTable<int> geom_conaffinity;
    ModelTable<int> geom_condim;
    ModelTable<int> geom_bodyid;
    ModelTable<int> geom_dataid;  // mesh or height field, or -1
    ModelTable<int> geom_group;
    ModelTable<int> geom_visible;  // 0: fully transparent, not hit by rays
    ModelTable<int> geom_trimesh;  // a mesh geom collides by its triangles, not by its hull
    ModelTable<int> geom_priority;
    ModelTable<int> geom_sameframe;  // whether the axes are the body's or the principal ones, sameframe::
    ModelTable<int> geom_sdf;  // sdf_kind:: of an sdf geom, -1 for others
    ModelTable<Vec6<Real>> geom_sdfparam;  // its parameters
    ModelTable<Real> geom_solmix;
    ModelTable<Vec<Real, nref>> geom_solref;
    ModelTable<Vec<Real, nimp>> geom_solimp;
    ModelTable<Vec3<Real>> geom_size;
    ModelTable<Real> geom_mass;  // its part in the mass of its body, 0 where that was given
    ModelTable<Vec3<Real>> geom_inertia;  // principal moments of that part, geom frame
    ModelTable<int> geom_massrule;  // how that follows from its size, massrule::
    ModelTable<Vec6<Real>> geom_aabb;  // centre and half sizes, geom frame
    ModelTable<Real> geom_rbound;  // radius of the bounding sphere, 0 for planes
    ModelTable<Vec3<Real>> geom_pos;  // body frame
    ModelTable<Quat<Real>> geom_quat;  // body frame
    ModelTable<Vec3<Real>> geom_friction;  // slide, spin, roll
    ModelTable<Real> geom_margin;
    ModelTable<Real> geom_gap;
    ModelTable<Vec6<Real>> geom_surfacevel;  // linear first, geom frame
    ModelTable<Real> geom_adhesion;
    ModelTable<Vec<Real, nfluid>> geom_fluid;  // ellipsoid fluid model

    // sites, cameras, lights
    ModelTable<int> site_type;
    ModelTable<int> site_bodyid;
    ModelTable<int> site_group;
    ModelTable<int> site_dataid;  // mesh, or -1
    ModelTable<int> site_sameframe;
    ModelTable<Vec3<Real>> site_size;
    ModelTable<Vec3<Real>> site_pos;  // body frame
    ModelTable<Quat<Real>> site_quat;  // body frame
    ModelTable<int> cam_mode;
    ModelTable<int> cam_bodyid;
    ModelTable<int> cam_targetbodyid;
    ModelTable<Vec3<Real>> cam_pos;
    ModelTable<Quat<Real>> cam_quat;
    ModelTable<Vec3<Real>> cam_poscom0;
    ModelTable<Vec3<Real>> cam_pos0;
    ModelTable<Mat3<Real>> cam_mat0;
    ModelTable<int> cam_projection;
    ModelTable<Real> cam_fovy;
    ModelTable<Vec<int, 2>> cam_resolution;
    ModelTable<Vec<Real, 2>> cam_sensorsize;
    ModelTable<Vec<Real, 4>> cam_intrinsic;
    ModelTable<int> light_mode;
    ModelTable<int> light_bodyid;
    ModelTable<int> light_targetbodyid;
    ModelTable<Vec3<Real>> light_pos;
    ModelTable<Vec3<Real>> light_dir;
    ModelTable<Vec3<Real>> light_poscom0;
    ModelTable<Vec3<Real>> light_pos0;
    ModelTable<Vec3<Real>> light_dir0;

    // meshes: vertices in the mesh's own frame (principal axes at the centre of mass)
    ModelTable<int> mesh_vertadr;
    ModelTable<int> mesh_vertnum;
    ModelTable<int> mesh_faceadr;
    ModelTable<int> mesh_facenum;
    ModelTable<int> mesh_graphadr;  // convex hull graph or -1
    ModelTable<Vec3<float>> mesh_vert;
    ModelTable<Vec<int, 3>> mesh_face;
    ModelTable<int> mesh_tangentadr;  // tangents of the vertices, or -1
    ModelTable<Vec6<float>> mesh_tangent;  // two for each vertex
    ModelTable<int> mesh_graph;  // numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid
    ModelTable<Vec<int, 27>> mesh_extrema;  // hull vertex furthest in each of the directions {-1, 0, 1}³: where climbs start
    ModelTable<int> mesh_nodeadr;  // first node of the hull graph in mesh_node
    ModelTable<Vec<int, 32>> mesh_node;  // a node and seven neighbours: x, y, z as the bits of floats, then the nodes (support.hpp)
    ModelTable<int> mesh_bvhadr;  // tree of boxes over the faces: first node
    ModelTable<int> mesh_bvhnum;
    ModelTable<Vec<int, 3>> mesh_bvhnode;  // node after the subtree, first face, number of faces (0: inner); relative to the mesh
    ModelTable<Vec6<float>> mesh_bvhbox;  // low and high corner, mesh frame
    ModelTable<int> mesh_gridadr;  // distances on a voxel grid, x fastest, or -1
    ModelTable<Vec<int, 3>> mesh_gridnum;
    ModelTable<Vec6<Real>> mesh_gridbox;  // lowest point and step
    ModelTable<float> mesh_grid;
    ModelTable<Vec3<Real>> mesh_scale;
    ModelTable<Vec3<Real>> mesh_pos;
    ModelTable<Quat<Real>> mesh_quat;
    ModelTable<int> mesh_polynum;  // polygons of the hull: coplanar faces merged
    ModelTable<int> mesh_polyadr;
    ModelTable<Vec3<Real>> mesh_polynormal;
    ModelTable<int> mesh_polyvertadr;
    ModelTable<int> mesh_polyvertnum;
    ModelTable<int> mesh_polyvert;
    ModelTable<int> mesh_polymapadr;
    ModelTable<int> mesh_polymapnum;
    ModelTable<int> mesh_polymap;  // polygons around each vertex

    // height fields
    ModelTable<Vec<Real, 4>> hfield_size;  // x, y, z top, z bottom
    ModelTable<int> hfield_nrow;
    ModelTable<int> hfield_ncol;
    ModelTable<int> hfield_adr;
    ModelTable<float> hfield_data;  // elevation in [0, 1]

    // contact pairs
    ModelTable<int> pair_dim;
    ModelTable<int> pair_geom1;
    ModelTable<int> pair_geom2;
    ModelTable<Vec<Real, nref>> pair_solref;
    ModelTable<Vec<Real, nref>> pair_solreffriction;
    ModelTable<Vec<Real, nimp>> pair_solimp;
    ModelTable<Real> pair_margin;
    ModelTable<Real> pair_gap;
    ModelTable<Real> pair_adhesion;
    ModelTable<Vec<Real, 5>> pair_friction;
    ModelTable<int> exclude_body1;
    ModelTable<int> exclude_body2;
    ModelTable<int> cand_geom1;  // geom pairs that may collide (ncand; empty when there are too many: then the broad phase finds them)
    ModelTable<int> cand_geom2;
    ModelTable<int> cand_pair;  // explicit pair id or -1
    ModelTable<int> cand_next;  // where the pairs of the same two bodies end; an explicit pair is by itself

    // equality constraints
    ModelTable<int> eq_type;  // eq::
    ModelTable<int> eq_obj1id;
    ModelTable<int> eq_obj2id;
    ModelTable<int> eq_objtype;
    ModelTable<int> eq_active0;
    ModelTable<Vec<Real, nref>> eq_solref;
    ModelTable<Vec<Real, nimp>> eq_solimp;
    ModelTable<Vec<Real, neqdata>> eq_data;

    // tendons
    ModelTable<int> tendon_adr;  // first wrap object
    ModelTable<int> tendon_num;
    ModelTable<int> tendon_actuatorid;
    ModelTable<int> tendon_group;
    ModelTable<int> ten_J_rownnz;
    ModelTable<int> ten_J_rowadr;
    ModelTable<int> ten_J_colind;  // dofs the tendon's length may depend on (nJten)
    ModelTable<int> tendon_limited;
    ModelTable<int> tendon_actfrclimited;
    ModelTable<Vec<Real, nref>> tendon_solref_lim;
    ModelTable<Vec<Real, nimp>> tendon_solimp_lim;
    ModelTable<Vec<Real, nref>> tendon_solref_fri;
    ModelTable<Vec<Real, nimp>> tendon_solimp_fri;
    ModelTable<Vec<Real, 2>> tendon_range;
    ModelTable<Vec<Real, 2>> tendon_actfrcrange;
    ModelTable<Real> tendon_margin;
    ModelTable<Real> tendon_stiffness;
    ModelTable<Vec<Real, npoly>> tendon_stiffnesspoly;
    ModelTable<Real> tendon_damping;
    ModelTable<Vec<Real, npoly>> tendon_dampingpoly;
    ModelTable<Real> tendon_armature;
    ModelTable<Real> tendon_frictionloss;
    ModelTable<Vec<Real, 2>> tendon_lengthspring;  // dead band of the spring
    ModelTable<Real> tendon_length0;
    ModelTable<Real> tendon_invweight0;
    ModelTable<int> wrap_type;  // wrap::
    ModelTable<int> wrap_objid;  // geom, site or joint
    ModelTable<Real> wrap_prm;  // divisor, joint coefficient or side site

    // actuators
    ModelTable<int> actuator_trntype;  // trn::
    ModelTable<int> actuator_dyntype;  // dyn::
    ModelTable<int> actuator_gaintype;  // gain::
    ModelTable<int> actuator_biastype;  // bias::
    ModelTable<int> actuator_ctrladr;  // first control
    ModelTable<int> actuator_ctrlnum;
    ModelTable<int> actuator_ctrlspec;
    ModelTable<int> actuator_outadr;  // first force output
    ModelTable<int> actuator_outnum;
    ModelTable<int> actuator_actadr;  // first activation or -1
    ModelTable<int> actuator_actnum;
    ModelTable<Vec<int, 2>> actuator_trnid;
    ModelTable<Real> actuator_cranklength;
    ModelTable<Vec<Real, ndyn>> actuator_dynprm;
    ModelTable<Vec<Real, ngain>> actuator_gainprm;
    ModelTable<Vec<Real, nbias>> actuator_biasprm;
    ModelTable<int> actuator_actlimited;
    ModelTable<Vec<Real, 2>> actuator_actrange;
    ModelTable<int> actuator_actearly;
    ModelTable<Vec<int, 2>> actuator_history;  // samples, interpolation
    ModelTable<int> actuator_historyadr;
    ModelTable<Real> actuator_delay;
    ModelTable<Real> actuator_damping;
    ModelTable<Vec<Real, npoly>> actuator_dampingpoly;
    ModelTable<Real> actuator_armature;
    ModelTable<int> actuator_group;
    ModelTable<int> actuator_forcelimited;
    ModelTable<Vec<Real, 2>> actuator_forcerange;
    ModelTable<int> actuator_ctrllimited;  // per control (nu)
    ModelTable<Vec<Real, 2>> actuator_ctrlrange;  // per control (nu)
    ModelTable<Vec6<Real>> actuator_gear;  // per output (nout)
    ModelTable<Real> actuator_acc0;  // per output
    ModelTable<Real> actuator_length0;  // per output
    ModelTable<Vec<Real, 2>> actuator_lengthrange;  // per output
    ModelTable<int> moment_rownnz;  // dofs output i may act on
    ModelTable<int> moment_rowadr;
    ModelTable<int> moment_colind;  // (nJmom)

    // elastic cables, by joint
    ModelTable<int> cable_jntid;  // the ball joint
    ModelTable<Vec3<Real>> cable_stiffness;  // torque for an angle: twist, two bends; frame of the parent
    ModelTable<Vec3<Real>> cable_rest;  // rotation vector from the parent at rest

    // sensors
    ModelTable<int> sensor_type;  // sens::
    ModelTable<int> sensor_datatype;
    ModelTable<int> sensor_needstage;
    ModelTable<int> sensor_objtype;
    ModelTable<int> sensor_objid;
    ModelTable<int> sensor_reftype;
    ModelTable<int> sensor_refid;
    ModelTable<Vec<int, nsens>> sensor_intprm;
    ModelTable<int> sensor_dim;
    ModelTable<int> sensor_adr;
    ModelTable<Real> sensor_cutoff;
    ModelTable<Real> sensor_noise;
    ModelTable<Vec<int, 2>> sensor_history;
    ModelTable<int> sensor_historyadr;
    ModelTable<Real> sensor_delay;
    ModelTable<Vec<Real, 2>> sensor_interval;
    ModelTable<int> sensor_gridadr;  // of a touch grid: the edges of its columns in grid_edge, then those of its rows; -1 for others
    ModelTable<Real> grid_edge;  // ascending, radians

    // custom fields and keyframes
    ModelTable<int> numeric_adr;
    ModelTable<int> numeric_size;
    ModelTable<Real> numeric_data;
    ModelTable<int> tuple_adr;
    ModelTable<int> tuple_size;
    ModelTable<int> tuple_objtype;
    ModelTable<int> tuple_objid;
    ModelTable<Real> tuple_objprm;
    ModelTable<Real> key_time;
    ModelTable<Real> key_qpos;  // (nkey x nq)
    ModelTable<Real> key_qvel;
    ModelTable<Real> key_act;
    ModelTable<Vec3<Real>> key_mpos;
    ModelTable<Quat<Real>> key_mquat;
    ModelTable<Real> key_ctrl;

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

// The names of objects by kind; an empty string for one without.
struct NameTables {
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

    // Arrays of one type and nothing else, taken one after the other as the tables are.
    NameTables() = default;
    [[gnu::cold]] NameTables(const NameTables& other) {
        const auto to = parts_of<Array<std::string>>(*this);
        const auto from = parts_of<const Array<std::string>>(other);
        for (int i = 0; i < to.size(); ++i) to[i] = from[i];
    }
    NameTables(NameTables&& other) noexcept { swap(other); }
    NameTables& operator=(const NameTables& other) { return *this = NameTables(other); }
    NameTables& operator=(NameTables&& other) noexcept {
        swap(other);
        return *this;
    }

  private:
    [[gnu::cold]] void swap(NameTables& other) noexcept {
        const auto mine = parts_of<Array<std::string>>(*this), theirs = parts_of<Array<std::string>>(other);
        for (int i = 0; i < mine.size(); ++i) mine[i].swap(theirs[i]);
    }
};

struct ModelNames : NameTables {
    std::string name;
};

struct Visual;

template <class Real, class Joints>
struct Model : ModelSizes<Real>, ModelTables<Real>, ModelNames {
    using real = Real;
    using joints = Joints;
    template <class Other>
    using rebind = Model<Other, Joints>;
    static constexpr bool is_fixed = false;
    std::shared_ptr<const Visual> visual{};  // how it looks (model/visual.hpp); no stage reads it

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

}  // namespace mjx::inner
