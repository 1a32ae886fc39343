// The pipeline on one page: forward dynamics as a list of stages, and the step.
//
//     forward = position (kinematics, com, tendons, inertia, collision, constraint rows, transmissions)
//               → velocity (velocities, passive forces, reference accelerations, bias)
//               → actuation → acceleration → constraint solver, with the sensors of each stage after it
//     step    = checks, forward, integrator
// Every stage is a function of the model and the data, in a header of its own that says what it reads and writes. `Solver` and
// `Integrator` are types, `hooks` is the user's own physics (stage/hooks.hpp). A step has the solver as its integrator has it (solver_of).
//
// A Simulator keeps a model and its data together. Where they are kept apart, as of one model for many threads:
//
//     mjx::Data<double, mjx::Model<>> d(model);
//     mjx::reset(model, d);
//     mjx::step<mjx::Euler, mjx::Newton>(model, d);
#pragma once

#include "mjx/collision/collision.hpp"
#include "mjx/constraint/make.hpp"
#include "mjx/constraint/reference.hpp"
#include "mjx/integrator/fall_asleep.hpp"
#include "mjx/integrator/integrator.hpp"
#include "mjx/integrator/work_space.hpp"
#include "mjx/sensor/sensor.hpp"
#include "mjx/solver/contact_cache.hpp"
#include "mjx/solver/solver.hpp"
#include "mjx/stage/acceleration.hpp"
#include "mjx/stage/actuation.hpp"
#include "mjx/stage/camera.hpp"
#include "mjx/stage/com.hpp"
#include "mjx/stage/crba.hpp"
#include "mjx/stage/energy.hpp"
#include "mjx/stage/factor.hpp"
#include "mjx/stage/hooks.hpp"
#include "mjx/stage/kinematics.hpp"
#include "mjx/stage/passive.hpp"
#include "mjx/stage/reset.hpp"
#include "mjx/stage/rne.hpp"
#include "mjx/stage/sleep.hpp"
#include "mjx/stage/tendon_armature.hpp"
#include "mjx/stage/transmission.hpp"
#include "mjx/stage/velocity.hpp"

namespace mjx::inner {

// Where a library holds a function of this page for wider registers as well, and the machine has them, run() is that one (compiled.hpp).
enum class Part { forward, step1, step2 };
template <Part, class... Types>
struct Wide {
    static constexpr bool run(const auto&, auto&, const auto&) { return false; }
};

// Poses, and the inertia in them.
template <class M, class D>
void forward_poses(const M& m, D& d) {
    wake_disturbed(m, d);
    kinematics(m, d);
    com_pos(m, d);
    cameras(m, d);
    lights(m, d);
    tendon(m, d);
    crba(m, d);
    tendon_armature(m, d);
    factor(m, d);
}

// What depends on the position alone.
template <class Solver, class M, class D, class H>
void forward_position(const M& m, D& d, const H& hooks) {
    forward_poses(m, d);
    if constexpr (Solver::constrained) {
        if constexpr (M::is_fixed)
            static_assert(cone_of<Solver>(constants_t<M>{}) != cone::elliptic || may_have_cones<D>(),
                          "this Data is for a solver with pyramidal cones");
        do {  // once, unless a contact or row ties what sleeps to what is awake: then with the trees that it wakes
            collision(m, d, hooks);
            make_constraint(m, d, cone_of<Solver>(m), shares_rows<Solver>(m));
        } while (wake_coupled(m, d));
    }
    transmission(m, d);
}

// What depends on position and velocity.
template <class Solver, class M, class D, class H>
void forward_velocity(const M& m, D& d, const H& hooks) {
    tendon_velocity(m, d);
    actuator_velocity(m, d);
    com_vel(m, d);
    passive(m, d, hooks);
    if constexpr (Solver::constrained) reference_constraint(m, d);
    rne(m, d);
    tendon_bias(m, d);
}

// Forces and accelerations.
template <class Solver, class M, class D, class H>
void forward_acceleration(const M& m, D& d, const H& hooks) {
    actuation(m, d, hooks);
    acceleration(m, d);
    Solver::solve(m, d);
}

template <class M, class D>
void energy(const M& m, D& d) {
    if (!m.opt.enabled(enable::energy)) {
        d.energy = Vec<typename D::scalar, 2>::zero();
        return;
    }
    energy_pos(m, d);
    energy_vel(m, d);
}

// All that is known before the controls are.
template <class Solver, class M, class D, class H>
void forward_state(const M& m, D& d, const H& hooks) {
    forward_position<Solver>(m, d, hooks);
    sensor_pos(m, d, hooks);
    forward_velocity<Solver>(m, d, hooks);
    sensor_vel(m, d, hooks);
    energy(m, d);
    hook::control::call(m, d, hooks);
}

// Every stage, at the current state.
template <class Solver, class M, class D, class H>
void forward_stages(const M& m, D& d, const H& hooks) {
    forward_state<Solver>(m, d, hooks);
    forward_acceleration<Solver>(m, d, hooks);
    sensor_acc(m, d, hooks);
}

// Puts trees to sleep that start so, from the forces in the pose of the model: one code for forward and step1.
template <class Solver, class M, class D, class H>
void start_trees_asleep(const M& m, D& d, const H& hooks) {
    start_asleep(m, d, [&] { forward_stages<Solver>(m, d, hooks); });
}

// Accelerations at the current state: mj_forward.
template <class Solver, class M, class D, class H = no_hooks>
void forward(const M& m, D& d, const H& hooks = {}) {
    if (Wide<Part::forward, Solver>::run(m, d, hooks)) return;
    start_trees_asleep<Solver>(m, d, hooks);
    forward_stages<Solver>(m, d, hooks);
}

// The first half of a step, up to where the user may look at the state and set controls: mj_step1.
template <class Solver, class M, class D, class H = no_hooks>
void step1(const M& m, D& d, const H& hooks = {}) {
    if (Wide<Part::step1, Solver>::run(m, d, hooks)) return;
    check_state(m, d);
    start_trees_asleep<Solver>(m, d, hooks);
    forward_state<Solver>(m, d, hooks);
}

// A solver as a step has it. Contacts are remembered once, when it is clear that no lane starts again: the others then find what they found
// before, and stages of an integrator start from where the step does.
template <class Integrator, class Solver>
using step_solver = solver_of<Integrator, forgetful<Solver>>;

// The state one step further, from the accelerations at it.
template <class Integrator, class Solver, class M, class D, class H>
void integrate_step(const M& m, D& d, const H& hooks) {
    if constexpr (Solver::remembers_contacts) remember_contacts(d);
    Integrator::integrate(m, d, [&] {
        using Used = step_solver<Integrator, Solver>;
        forward_position<Used>(m, d, hooks);
        forward_velocity<Used>(m, d, hooks);
        hook::control::call(m, d, hooks);
        forward_acceleration<Used>(m, d, hooks);
    });
    check_result(m, d);
}

// Whether accelerations were bad and there are environments that start again.
template <class M, class D>
bool starts_again(const M& m, D& d) {
    const auto bad = check(m, d, d.qacc, m.nv, warning::badqacc);
    return any(bad) && !m.opt.disabled(disable::autoreset);
}

// The second half: forces, accelerations, integration: mj_step2.
template <class Integrator, class Solver, class M, class D, class H = no_hooks>
void step2(const M& m, D& d, const H& hooks = {}) {
    if (Wide<Part::step2, Integrator, Solver>::run(m, d, hooks)) return;
    using Used = step_solver<Integrator, Solver>;
    forward_acceleration<Used>(m, d, hooks);
    sensor_acc(m, d, hooks);
    if (starts_again(m, d)) forward<Used>(m, d, hooks);
    integrate_step<Integrator, Solver>(m, d, hooks);
}

// How often accelerations were bad so far.
template <class D>
int bad_accelerations(const D& d) {
    constexpr int lanes = lanes_v<typename D::scalar>;
    int count = 0;
    for (int k = 0; k < lanes; ++k) count += d.warning[warning::badqacc * lanes + k];
    return count;
}

// Both halves. Compilers that put all they call into one function, as those of kernels do, find the stages of a fixed model here once: a
// loop that ends by what is in memory is not written out as its two rounds.
template <class Integrator, class Solver, class M, class D, class H = no_hooks>
void step(const M& m, D& d, const H& hooks = {}) {
    if constexpr (M::is_fixed) {
        check_state(m, d);
        const int before = bad_accelerations(d);
        do {
            forward<step_solver<Integrator, Solver>>(m, d, hooks);
        } while (bad_accelerations(d) == before && starts_again(m, d));
        integrate_step<Integrator, Solver>(m, d, hooks);
    } else {
        step1<solver_of<Integrator, Solver>>(m, d, hooks);
        step2<Integrator, Solver>(m, d, hooks);
    }
}

}  // namespace mjx::inner

namespace mjx {

using inner::forward;
using inner::reset;
using inner::reset_keyframe;
using inner::step;
using inner::step1;
using inner::step2;

}  // namespace mjx
