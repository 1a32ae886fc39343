// Data<S, M>: everything that changes during simulation, for the scalar S and the model M. MuJoCo's names and conventions.
//
// Fields are grouped by the stage that computes them; the list in fields.hpp names each once more, in the same order, with that stage
// and drives dump, cast, snapshot and the tests. For a fixed model Data is one trivially copyable object of static size; for a runtime
// model it owns one buffer, sized when it is made: no stage allocates.
#pragma once

#include "mjx/data/contact.hpp"
#include "mjx/data/fields.hpp"
#include "mjx/data/memory.hpp"
#include "mjx/fwd.hpp"
#include "mjx/model/array.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mjx::inner {

// The size a field has, in terms of the model.
enum class Dim {
    nq, nv, nu, na, nbody, njnt, ngeom, nsite, ncam, nlight, nmocap, neq, ntendon, nJten, nwrap2, nM, nout, nJmom,
    nsensordata, nhistory, nuserdata, nconmax, nbroad, broad_tree, broad_pair, njmax, nJmax, ntree, hessian, solver_matrix, solver_bits,
    warnings
};
inline constexpr int dims = static_cast<int>(Dim::warnings) + 1;

// A capacity of the model is that of one environment, be it alone or one of several lanes.
constexpr int lane_room(int alone, int in_lane, int lanes) { return lanes > 1 && in_lane < alone ? in_lane : alone; }
template <class M>
constexpr int lane_contacts(const M& m, int lanes) { return lane_room(m.nconmax, m.nconlane, lanes); }
template <class M>
constexpr int lane_rows(const M& m, int lanes) { return lane_room(m.njmax, m.njlane, lanes); }
template <class M>
constexpr int lane_entries(const M& m, int lanes) { return lane_room(m.nJmax, m.nJlane, lanes); }

// The lanes of a pack share their contacts and rows, and their places are those that some lane needs: there is room for the lanes'
// own capacities side by side, or for all there can be if that is less.
constexpr int lanes_room(int one, int all, int lanes) {
    const long long together = static_cast<long long>(one) * lanes, most = one < all ? all : one;
    return static_cast<int>(together < most ? together : most);
}
template <class M>
constexpr int shared_contacts(const M& m, int lanes) { return lanes_room(lane_contacts(m, lanes), m.nconall, lanes); }
template <class M>
constexpr int shared_rows(const M& m, int lanes) { return lanes_room(lane_rows(m, lanes), m.njall, lanes); }
template <class M>
constexpr int shared_entries(const M& m, int lanes) { return lanes_room(lane_entries(m, lanes), m.nJall, lanes); }

// At most how many dofs a tendon depends on, with their ancestors.
template <class M>
constexpr int tendon_chain(const M& m, int t) {
    const int end = m.ten_J_rowadr[t] + m.ten_J_rownnz[t];
    int sum = 0;
    for (int k = m.ten_J_rowadr[t]; k < end; ++k)
        if (k + 1 == end || m.dof_parentid[m.ten_J_colind[k + 1]] != m.ten_J_colind[k]) sum += m.M_rownnz[m.ten_J_colind[k]];
    return sum < m.nv ? sum : m.nv;
}

// Room for Newton's Hessian with its fill: a full triangle, its rows padded to registers, unless there are many dofs.
template <class M>
constexpr int hessian_size(const M& m) {
    const long long nv = m.nv, triangle = nv * (nv + 1) / 2 + 3 * nv, bounded = m.nM + 512 * nv;
    return static_cast<int>(triangle < bounded ? triangle : bounded);
}

// Room for the largest matrix a solver builds: that, or the rows J M^(-1/2) of the dual solvers, each over the chains of two bodies or
// along a tendon (its limits, its friction, its equalities), and their products within a block.
template <class M>
constexpr int solver_matrix_size(const M& m, int lanes) {
    int chain = 0;
    for (int b = 0; b < m.nbody; ++b) chain = chain < m.B_rownnz[b] ? m.B_rownnz[b] : chain;
    const int widest = 2 * chain < m.nv ? 2 * chain : m.nv;
    const int hessian = hessian_size(m);
    long long rows = static_cast<long long>(shared_rows(m, lanes)) * (widest + 6);
    for (int t = 0; t < m.ntendon; ++t) rows += 3 * tendon_chain(m, t);
    for (int e = 0; e < m.neq; ++e)
        if (m.eq_type[e] == eq::tendon)
            rows += tendon_chain(m, m.eq_obj1id[e]) + (m.eq_obj2id[e] >= 0 ? tendon_chain(m, m.eq_obj2id[e]) : 0);
    return hessian < rows ? static_cast<int>(rows) : hessian;
}

template <class M>
constexpr int extent(const M& m, Dim dim, int lanes) {
    switch (dim) {
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
        case Dim::nconmax: return shared_contacts(m, lanes);
        case Dim::njmax: return shared_rows(m, lanes);
        case Dim::nJmax: return shared_entries(m, lanes);
        case Dim::nbroad: return m.nbroad;
        case Dim::broad_tree: return 3 * m.nbroad;
        case Dim::broad_pair: return 16 * m.nbroad;
        case Dim::ntree: return m.ntree;
        case Dim::hessian: return hessian_size(m);
        case Dim::solver_matrix: return solver_matrix_size(m, lanes);
        case Dim::solver_bits: return m.nv * ((m.nv + 63) / 64);
        case Dim::warnings: return warning::count * lanes;
    }
    return 0;
}

// Where a field of a runtime model lies. It does not know what its items are: what walks over the fields to place or copy them (parts_of)
// is compiled once, not for each of a hundred kinds of field.
struct FieldPlace {
    void* first;
    int count;
};
template <class T>
struct FieldItems : FieldPlace {
    using value_type = T;

    T& operator[](int i) const { return data()[i]; }
    int size() const { return count; }
    T* data() const { return static_cast<T*>(first); }
    T* begin() const { return data(); }
    T* end() const { return data() + count; }
};

// What a field is, and what stands for the model to ask it of all fields: DataShapes<S>.
template <class T, Dim D>
struct FieldShape {
    static constexpr Dim dim = D;
    static constexpr std::size_t item_size = sizeof(T);
};
struct FieldShapes {};

// How a field is stored: in Data's memory for runtime models, inside Data for fixed models.
template <class T, Dim D, int Lanes, class M>
struct field_storage {
    using type = FieldItems<T>;
};
template <class T, Dim D, int Lanes, class M>
    requires(M::is_fixed)
struct field_storage<T, D, Lanes, M> {
    using type = FixedArray<T, extent(M{}, D, Lanes)>;
};
template <class T, Dim D, int Lanes>
struct field_storage<T, D, Lanes, FieldShapes> {
    using type = FieldShape<T, D>;
};

// The numbers there is one of.
template <class S>
struct DataNumbers {
    S time;                // s
    Vec<S, 2> energy;      // potential, kinetic
    S solver_cost;
    S solver_gradient;     // norm, scaled
    int ncon;              // contacts found
    int ne, nf, nl, nefc;  // rows: equality, friction, limits; all
    int nJ;                // entries of efc_J in use
    int nblock;            // blocks of rows that share their columns, see constraint/block.hpp
    int solver_niter;      // iterations taken
    int ncache;            // contact forces of the step before, for solvers that start from them
    int nisland;           // groups of trees that touch
};

template <class S, class TheModel>
struct DataFields {
    template <class T, Dim D>
    using field = typename field_storage<T, D, lanes_v<S>, TheModel>::type;

    // input: what a State snapshot holds, with the time
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
    field<int, Dim::ntree> tree_asleep;  // steps to sleep, negative; or the next of the trees asleep together
    field<S, Dim::nq> sleep_qpos;  // coordinates at which trees fell asleep

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
    field<int, Dim::njmax> efc_type;  // cnstr::
    field<int, Dim::njmax> efc_id;  // object of that type
    field<int, Dim::njmax> block_row;  // first row
    field<int, Dim::njmax> block_dim;  // rows of efc_J
    field<int, Dim::njmax> block_nnz;  // columns
    field<int, Dim::njmax> block_J;  // where its columns and values start
    field<std::uint64_t, Dim::njmax> block_dofs;  // its columns as bits where contacts of different lanes may share it, else 0
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

    // subtree momentum
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
    field<value_part_t<S>, Dim::solver_matrix> sol_H;  // Hessian; rows of the dual solvers
    field<value_part_t<S>, Dim::hessian> sol_L;  // factor of the Hessian
    field<value_part_t<S>, Dim::nv> sol_HDiagInv;
    field<int, Dim::solver_matrix> sol_H_colind;
    field<int, Dim::nv> sol_H_rowadr;
    field<int, Dim::nv> sol_H_rownnz;
    field<int, Dim::nv> sol_H_place;  // where each dof comes in the order of elimination, from the last to the first
    field<int, Dim::nv> sol_H_dof;  // the dof at each place
    field<std::uint64_t, Dim::solver_bits> sol_H_bits;  // columns of each row
    field<int, Dim::njmax> block_Y;  // where the dual solvers' rows of a block start in sol_H
    field<int, Dim::njmax> block_Ynnz;  // columns of these rows
    field<int, Dim::nconmax> cache_geom1;
    field<int, Dim::nconmax> cache_geom2;
    field<Vec3<value_part_t<S>>, Dim::nconmax> cache_cell;  // world position in centimetres, rounded down
    field<Vec6<value_part_t<S>>, Dim::nconmax> cache_force;  // contact frame
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

template <class S>
struct DataShapes : DataNumbers<FieldShapes>, DataFields<S, FieldShapes> {};

// Fields of fixed models: trivially copyable, no heap. Starts at zero; reset() gives it the model's initial state.
template <class S, class M>
    requires(M::is_fixed)
struct Data<S, M> : DataNumbers<S>, DataFields<S, M> {
    using scalar = S;
    using model = M;

    Data() = default;
    explicit Data(const M&) { std::memset(static_cast<void*>(this), 0, sizeof *this); }
};

template <class S, class M>
struct Data : DataNumbers<S>, DataFields<S, M> {
    using scalar = S;
    using model = M;
    static_assert(inner::scalar<S>, "the first parameter of Simulator and Data must be float, double, mjx::dual or mjx::pack");

    explicit Data(const M& m) : DataNumbers<S>{} {
        int count[dims];
        for (int d = 0; d < dims; ++d) count[d] = extent(m, static_cast<Dim>(d), lanes_v<S>);
        for (int i = 0; i < field_count; ++i) fields()[i].count = count[static_cast<int>(kinds.dim[i])];
        memory = LazyMemory(lay_out());
        lay_out();
    }
    Data(const Data& other) : DataNumbers<S>(other), DataFields<S, M>(other), memory(other.memory.bytes()) {
        lay_out();
        copy(other);
    }
    Data(Data&&) noexcept = default;
    Data& operator=(const Data& other) {
        if (memory.bytes() == other.memory.bytes())
            copy(other);
        else
            *this = Data(other);
        return *this;
    }
    Data& operator=(Data&&) noexcept = default;

  private:
    LazyMemory memory;

    Span<FieldPlace> fields() { return parts_of<FieldPlace>(static_cast<DataFields<S, M>&>(*this)); }
    Span<const FieldPlace> fields() const { return parts_of<const FieldPlace>(static_cast<const DataFields<S, M>&>(*this)); }

    // What the fields are, in the order of for_each_field, which is the one in which they are declared.
    static constexpr int field_count = sizeof(DataFields<S, M>) / sizeof(FieldPlace);
    struct Kinds {
        Dim dim[field_count];
        std::size_t item_size[field_count];
    };
    static constexpr Kinds field_kinds() {
        Kinds result{};
        int i = 0;
        for_each_field([&](const char*, Stage, auto shape) {
            if constexpr (requires { shape.dim; }) {
                result.dim[i] = shape.dim;
                result.item_size[i++] = shape.item_size;
            }
        }, DataShapes<S>{});
        return result;
    }
    static constexpr Kinds kinds = field_kinds();

    // The fields lie one after another, each at a cache line, as soon as there is memory. Returns the bytes they take.
    std::size_t lay_out() {
        std::size_t bytes = 0;
        for (int i = 0; i < field_count; ++i) {
            FieldPlace& x = fields()[i];
            if (memory.bytes() > 0) x.first = memory.begin() + bytes;
            bytes += spaced(static_cast<std::size_t>(x.count) * kinds.item_size[i]);
        }
        return bytes;
    }
    // Places beyond the contacts and rows there are hold nothing, and scratch nothing that lasts: neither is copied, or even touched.
    int used(Dim dim, int count) const {
        switch (dim) {
            case Dim::nconmax: return this->ncon > this->ncache ? this->ncon : this->ncache;
            case Dim::njmax: return this->nefc;
            case Dim::nJmax: return this->nJ;
            case Dim::nbroad: case Dim::broad_tree: case Dim::broad_pair: case Dim::hessian: case Dim::solver_matrix: case Dim::solver_bits:
                return 0;
            default: return count;
        }
    }
    void copy(const Data& other) {
        static_cast<DataNumbers<S>&>(*this) = other;
        const auto to = fields();
        const auto from = other.fields();
        for (int i = 0; i < field_count; ++i) {
            const int count = other.used(kinds.dim[i], from[i].count);
            if (count > 0) std::memcpy(to[i].first, from[i].first, static_cast<std::size_t>(count) * kinds.item_size[i]);
        }
    }
};

}  // namespace mjx::inner
