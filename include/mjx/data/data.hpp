// Data<S, M>: everything that changes during simulation, for the scalar S and the model M. MuJoCo's names and conventions.
//
// Fields are grouped by the stage that computes them; the list in fields.hpp names each once more, in the same order, with that stage
// and drives dump, cast, snapshot and the tests. For a fixed model Data is one trivially copyable object of static size; for a runtime
// model it owns one buffer, sized when it is made: no stage allocates.
//
// Users may rely on all fields but those marked `inner`, which stages hand to each other (is_inner_field), and `work`, where algorithms
// have their arrays while they run.
#pragma once

#include "mjx/data/contact.hpp"
#include "mjx/data/field.hpp"
#include "mjx/data/fields.hpp"
#include "mjx/data/memory.hpp"
#include "mjx/data/work.hpp"
#include "mjx/fwd.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mjx::inner {

// The numbers there is one of.
template <class S>
struct DataNumbers {
    S time;                // s
    Vec<S, 2> energy;      // potential, kinetic
    S solver_cost;
    S solver_gradient;     // norm, scaled
    int ncon;              // contacts found
    int ne, nf, nl, nefc;  // rows: equality, friction, limits; all
    int nJ;                // inner: entries of efc_J in use
    int nblock;            // blocks of rows that share their columns, see constraint/block.hpp
    int solver_niter;      // iterations taken
    int ncache;            // inner: contact forces of the step before, for solvers that start from them
    int nisland;           // groups of trees that touch
};

// `Cached` is the size of the contact cache, none in a fixed model whose solver remembers nothing, and `Slopes` that of forces'
// derivatives.
template <class S, class TheModel, Dim Cached = Dim::nconmax, Dim Slopes = Dim::nM>
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
    field<S, Dim::nq> sleep_qpos;  // inner: coordinates at which trees fell asleep

    // kinematics: frames in the world
    field<Vec3<S>, Dim::nbody> xpos;  // body frame
    field<Quat<S>, Dim::nbody> xquat;  // body frame
    field<Mat3<S>, Dim::nbody> xmat;  // body frame
    field<Vec3<S>, Dim::nbody> xipos;  // centre of mass
    field<Mat3<S>, Dim::nbody> ximat;  // principal axes
    field<Vec3<S>, Dim::njnt> xanchor;  // joint anchor
    field<Vec3<S>, Dim::njnt> xaxis;  // joint axis
    field<S, Dim::njnt> jnt_sin;  // of half the angle of each joint that has one
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
    field<Vec<S, 4>, Dim::ngeom> geom_bound;  // inner: bounding sphere: centre, radius with margin and gap; world

    // constraint rows
    field<int, Dim::njmax> efc_type;  // cnstr::
    field<int, Dim::njmax> efc_id;  // object of that type
    field<int, Dim::njmax> block_row;  // first row
    field<int, Dim::njmax> block_dim;  // rows of efc_J
    field<int, Dim::njmax> block_nnz;  // columns
    field<int, Dim::njmax> block_J;  // where its columns and values start
    field<std::uint64_t, Dim::njmax> block_dofs;  // inner: its columns as bits where contacts of different lanes may share it, else 0
    field<int, Dim::nJmax> efc_J_colind;
    field<S, Dim::nJmax> efc_J;  // by block, row after row
    field<S, Dim::njmax> efc_pos;
    field<S, Dim::njmax> efc_margin;
    field<S, Dim::njmax> efc_frictionloss;
    field<S, Dim::njmax> efc_diagA;  // of J M⁻¹ Jᵀ, about; with Discrete efc_R d / (1 - d), d the impedance
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
    field<S, Dim::nu> actuator_ctrl;  // controls as the actuators took them, after delay, clamping and slew limits

    // acceleration
    field<S, Dim::nv> qfrc_smooth;  // all but constraints
    field<S, Dim::nv> qacc_smooth;

    // solver
    field<S, Dim::njmax> efc_b;  // J qacc_smooth - aref
    field<S, Dim::njmax> efc_force;
    field<S, Dim::nv> qfrc_constraint;  // Jᵀ efc_force
    field<S, Dim::nv> qacc;

    // solver: contact forces of the step before, for solvers that start from them (solver/contact_cache.hpp)
    field<CachedContact<S>, Cached> cache;  // inner

    // solver: islands, groups of trees that constraints tie together (solver/island.hpp)
    field<int, Dim::ntree> tree_island;  // island of a tree or -1
    field<int, Dim::ntree> island_tree;  // trees by island
    field<int, Dim::ntree> island_treeadr;
    field<int, Dim::ntree> island_treenum;

    // post: after the acceleration
    field<Vec6<S>, Dim::nbody> cacc;  // com-based acceleration
    field<Vec6<S>, Dim::nbody> cfrc_int;  // force through the joint from the parent
    field<Vec6<S>, Dim::nbody> cfrc_ext;  // external force
    field<S, Dim::nv> qfrc_inverse;
    field<S, Dim::nsensordata> sensordata;

    // integrator
    field<S, Dim::nM> qH;  // inner: M + h D, or its factor
    field<S, Dim::nv> qHDiagInv;  // inner
    field<S, Slopes> qDeriv;  // inner: d(qfrc_smooth)/d qvel, lower triangle by rows of M_colind
    field<S, Slopes> qDeriv_upper;  // inner: the upper one: entry (column, row)

    // warnings, per lane
    field<int, Dim::warnings> warning;  // counts of warning::
    field<int, Dim::warnings> warning_info;  // what the last of each was about: coordinate, dof, control or activation
};

template <class S>
struct DataOutline : DataNumbers<OutlineOnly>, DataFields<S, OutlineOnly> {};

// Data of a fixed model: trivially copyable, no heap. Starts at zero; reset() gives it the model's initial state. Space says how much
// work space it has (data/work.hpp).
template <class S, class M, class Space>
    requires(M::is_fixed)
struct Data<S, M, Space> : DataNumbers<S>, DataFields<S, M, Space::cached, Space::template slopes<M>> {
    using scalar = S;
    using model = M;
    using space = Space;

    FixedRegion<Space::template bytes<S>(constants_t<M>{})> work;

    Data() = default;
    explicit Data(const M&) { std::memset(static_cast<void*>(this), 0, sizeof *this); }
};

// For each listed pair of geoms the direction that separated it last, zero at first: where to look first (collision/convex_pair.hpp).
// Whatever it holds, a step gives the same, so it is neither copied nor part of a state.
struct LastAxes {
    Vec3<float>* first = nullptr;
    int count = 0;
};

// Data of a runtime model: owns one block of memory for its fields and its work space.
template <class S, class M, class Space>
struct Data : DataNumbers<S>, DataFields<S, M> {
    using scalar = S;
    using model = M;
    static_assert(inner::scalar<S>, "the first parameter of Simulator and Data must be float, double, mjx::dual or mjx::pack");

    HeapRegion work;
    LastAxes axes;

    // `least`: bytes of work space, if what is run on this Data needs more than what the library itself does.
    explicit Data(const M& m, std::size_t least = 0);
    Data(const Data& other);
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
        for_each_field(
            [&](const char*, Section, auto outline) {
                if constexpr (requires { outline.dim; }) {
                    result.dim[i] = outline.dim;
                    result.item_size[i++] = outline.item_size;
                }
            },
            DataOutline<S>{});
        return result;
    }
    static constexpr Kinds kinds = field_kinds();

    // The fields lie one after another, each at a cache line, then the work space and the axes, as soon as there is memory. Returns the
    // bytes of all.
    std::size_t lay_out() {
        std::size_t bytes = 0;
        for (int i = 0; i < field_count; ++i) {
            FieldPlace& x = fields()[i];
            if (memory.bytes() > 0) x.first = memory.begin() + bytes;
            bytes += spaced(static_cast<std::size_t>(x.count) * kinds.item_size[i]);
        }
        if (memory.bytes() > 0) {
            work.bytes = memory.begin() + bytes;
            axes.first = reinterpret_cast<Vec3<float>*>(work.bytes + work.size);
        }
        return bytes + work.size + spaced(static_cast<std::size_t>(axes.count) * sizeof(Vec3<float>));
    }
    // Places beyond the contacts and rows there are hold nothing, the work space nothing that lasts, and axes nothing that counts: none of
    // them is copied or touched.
    int used(Dim dim, int count) const {
        switch (dim) {
            case Dim::nconmax: return this->ncon > this->ncache ? this->ncon : this->ncache;
            case Dim::njmax: return this->nefc;
            case Dim::nJmax: return this->nJ;
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

// Not inside the class, where they would be inline: a library may have them (compiled.hpp).
template <class S, class M, class Space>
Data<S, M, Space>::Data(const M& m, std::size_t least) : DataNumbers<S>{} {
    work.size = Space::template bytes<S>(m);
    if (work.size < least) work.size = least;
    work.size = spaced(work.size);
    axes.count = lanes_v<S> == 1 ? m.ncand : 0;
    int count[dims];
    for (int d = 0; d < dims; ++d) count[d] = extent(m, static_cast<Dim>(d), lanes_v<S>);
    for (int i = 0; i < field_count; ++i) fields()[i].count = count[static_cast<int>(kinds.dim[i])];
    memory = LazyMemory(lay_out());
    lay_out();
}
template <class S, class M, class Space>
Data<S, M, Space>::Data(const Data& other)
    : DataNumbers<S>(other),
      DataFields<S, M>(other),
      work{{}, nullptr, other.work.size},
      axes{nullptr, other.axes.count},
      memory(other.memory.bytes()) {
    lay_out();
    copy(other);
}

// The Data of a program that runs this integrator and solver. For a fixed model it has room for them alone, if they say what they need.
template <class S, class M, class Integrator, class Solver>
constexpr auto data_space() {
    constexpr bool integrator_says = requires { typename Integrator::template work<S, M>; };
    constexpr bool solver_says = requires { typename Solver::template work<S, M>; } || requires { requires !Solver::constrained; };
    if constexpr (M::is_fixed && integrator_says && solver_says)
        return lean_space<Integrator, Solver>{};
    else
        return standard_space{};
}
template <class S, class M, class Integrator, class Solver>
using data_for = Data<S, M, decltype(data_space<S, M, Integrator, Solver>())>;

template <class Integrator, class Solver, class S, class M>
std::size_t space_for(const M& m) {
    return standard_space::bytes<S>(m, work_bytes<Integrator, S>(m), work_bytes<Solver, S>(m));
}
template <class D, class Integrator, class Solver>
D make_data(const typename D::model& m) {
    if constexpr (D::model::is_fixed)
        return D(m);
    else
        return D(m, space_for<Integrator, Solver, typename D::scalar>(m));
}

}  // namespace mjx::inner
