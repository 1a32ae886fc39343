// How much work space a Data has: the bytes of standard_space and of lean_space (data/work.hpp).
//
// How large a work is stands in its struct, beside the algorithm. What is said here is who may be at work at the same time: an integrator
// while it calls forward, delayed sensors, inverse dynamics or what puts to sleep while they call stages, and above them one stage or one
// solver. Another array in one of these structs changes nothing here, nor does another solver or integrator of a Simulator, which goes by
// its `work`.
#pragma once

#include "mjx/collision/broadphase.hpp"
#include "mjx/collision/near_bodies.hpp"
#include "mjx/constraint/make.hpp"
#include "mjx/data/work.hpp"
#include "mjx/integrator/discrete.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/fall_asleep.hpp"
#include "mjx/integrator/implicit.hpp"
#include "mjx/integrator/implicit_spring_damper.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/sensor/sensor.hpp"
#include "mjx/solver/force_rows.hpp"
#include "mjx/solver/inverse.hpp"
#include "mjx/solver/noslip.hpp"
#include "mjx/solver/penalty.hpp"
#include "mjx/stage/bias_derivative.hpp"
#include "mjx/stage/crba.hpp"
#include "mjx/stage/energy.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/rne.hpp"
#include "mjx/stage/tendon.hpp"
#include "mjx/stage/velocity_derivative.hpp"

#include <cstddef>

namespace mjx::inner {

constexpr std::size_t larger_of(std::size_t a, std::size_t b) { return a < b ? b : a; }

// Works of which one is out at a time.
template <template <class, class> class... Works>
struct OneOf {
    template <class S, class M>
    static constexpr std::size_t bytes(const M& m) {
        std::size_t most = 0;
        ((most = larger_of(most, loan_bytes<Works<S, M>>(m))), ...);
        return most;
    }
};

// One of the stages, which may ask another for a frame's Jacobian.
template <class S, class M>
constexpr std::size_t stage_bytes(const M& m) {
    using Any = OneOf<AngleWork, TendonWork, CrbaWork, NearWork, BroadWork, DiagonalWork, RneWork, MomentumWork>;
    return larger_of(Any::bytes<S>(m), loan_bytes<BiasWork<S, M>>(m) + loan_bytes<FrameWork<S, M>>(m));
}
// Those that call stages. (What derivatives borrow between steps, ColumnsWork, has room there, too: it is as large as AsleepWork.)
template <class S, class M>
constexpr std::size_t caller_bytes(const M& m) {
    if constexpr (!in_kernel_v<M>) {
        return loan_bytes<RecordWork<S, M>>(m) + OneOf<InverseWork, AsleepWork>::bytes<S>(m);
    } else {  // no inverse dynamics there
        const std::size_t record = m.nhistory > 0 ? loan_bytes<RecordWork<S, M>>(m) : 0;
        return record + (m.opt.enabled(enable::sleep) ? loan_bytes<AsleepWork<S, M>>(m) : 0);
    }
}

// A Data that a program makes for itself may meet any integrator and solver of the library: those with a work that none of these is the
// larger of come here.
template <class S, class M>
constexpr std::size_t standard_space::bytes(const M& m, std::size_t integrates, std::size_t solves) {
    using Integrators = OneOf<EulerWork, RK4Work, ImplicitWork, SpringDamperWork, EffectiveWork>;
    using Solvers = OneOf<ForceWork, PenaltyWork>;  // PGS's and noslip's has that of CG and Newton in it, and that has IslandWork
    return larger_of(Integrators::bytes<S>(m), integrates) + caller_bytes<S>(m) +
           larger_of(larger_of(Solvers::bytes<S>(m), solves), stage_bytes<S>(m));
}

template <class Integrator, class Solver>
template <class S, class M>
constexpr std::size_t lean_space<Integrator, Solver>::bytes(const M& m) {
    std::size_t most = larger_of(work_bytes<Solver, S>(m), stage_bytes<S>(m));
    most = larger_of(most, loan_bytes<IslandWork<S, M>>(m));  // of what puts to sleep, whatever the solver
    if (m.opt.noslip_iterations > 0) most = larger_of(most, loan_bytes<ForceWork<S, M>>(m));
    return work_bytes<Integrator, S>(m) + caller_bytes<S>(m) + most;
}

}  // namespace mjx::inner
