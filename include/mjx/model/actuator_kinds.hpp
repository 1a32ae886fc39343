// The kinds of dynamics, gain and bias of actuators: their numbers (MuJoCo's), their words in MJCF and what is known about them
// before the physics, which is one struct each: Dynamics (stage/activation.hpp), Gain and Bias (stage/gain.hpp).
//
// A new kind is a number, a row here and its struct; rows stand in the order of the numbers.
#pragma once

#include "mjx/model/types.hpp"
#include "mjx/scalar/scalar.hpp"

namespace mjx::inner {

// Laid out by hand: enumerations in one line each.
// clang-format off
namespace dyn { enum : int { none, integrator, filter, filterexact, muscle, dcmotor, pid, user }; }
namespace gain { enum : int { fixed, affine, muscle, dcmotor, so3, pid, user, controller }; }
namespace bias { enum : int { none, affine, muscle, dcmotor, so3, user }; }
// clang-format on

// As bits. length: its force depends on the range of lengths, which the compiler finds if it is not given. own: the user's, so it may as
// well. signature: the attribute `input` says what its controls are. states: it may have several; or none, if its parameters say so; a
// gain has its own before those of the dynamics.
// rotation: its force is a torque of three outputs, which a limit scales, and its set points are rotation vectors. mechanical: friction of
// the motor acts beside what the electrical side can give, beyond its limit. steady: its slope with the velocity is the same in every
// state. coupled: where a state is at the end of the step depends on more than the state and its rate. servo: it holds a position, whatever
// its parameters are, and its inputs have ranges of their own. setpoint: its state is a set point, which returns to its nearest equivalent.
namespace actuator_fact {
enum : unsigned {
    length = 1,
    own = 2,
    signature = 4,
    states = 8,
    stateless = 16,
    rotation = 32,
    mechanical = 64,
    steady = 128,
    coupled = 256,
    servo = 512,
    setpoint = 1024
};
}

struct ActuatorKind {
    const char* word;
    int type;
    unsigned facts = 0;
};

inline constexpr ActuatorKind dyn_kinds[] = {
    {"none", dyn::none},
    {"integrator", dyn::integrator, actuator_fact::setpoint},
    {"filter", dyn::filter},
    {"filterexact", dyn::filterexact},
    {"muscle", dyn::muscle},
    {"dcmotor", dyn::dcmotor, actuator_fact::states | actuator_fact::stateless | actuator_fact::coupled},
    {"pid", dyn::pid, actuator_fact::states},
    {"user", dyn::user, actuator_fact::states | actuator_fact::own},
};
inline constexpr ActuatorKind gain_kinds[] = {
    {"fixed", gain::fixed, actuator_fact::steady},
    {"affine", gain::affine},
    {"muscle", gain::muscle, actuator_fact::length},
    {"dcmotor", gain::dcmotor, actuator_fact::signature},
    {"so3", gain::so3, actuator_fact::signature | actuator_fact::rotation},
    {"pid", gain::pid, actuator_fact::signature | actuator_fact::servo},
    {"user", gain::user, actuator_fact::own},
    {"", gain::controller, actuator_fact::states},  // MuJoCo's plugin mujoco.pid: <actuator><plugin>
};
inline constexpr ActuatorKind bias_kinds[] = {
    {"none", bias::none, actuator_fact::steady},
    {"affine", bias::affine, actuator_fact::steady},
    {"muscle", bias::muscle, actuator_fact::length},
    {"dcmotor", bias::dcmotor, actuator_fact::mechanical},
    {"so3", bias::so3},
    {"user", bias::user, actuator_fact::own},
};
inline constexpr int ndyn_kinds = sizeof(dyn_kinds) / sizeof(ActuatorKind);
inline constexpr int ngain_kinds = sizeof(gain_kinds) / sizeof(ActuatorKind);
inline constexpr int nbias_kinds = sizeof(bias_kinds) / sizeof(ActuatorKind);

// The types of which a fact holds, as bits: the stages carry the fact, not the table.
template <int N>
constexpr unsigned kinds_that(const ActuatorKind (&kinds)[N], unsigned fact) {
    unsigned types = 0;
    for (const ActuatorKind& kind : kinds)
        if (kind.facts & fact) types |= 1u << kind.type;
    return types;
}
template <unsigned Fact>
constexpr bool dyn_does(int type) {
    constexpr unsigned types = kinds_that(dyn_kinds, Fact);
    return (types >> type & 1) != 0;
}
template <unsigned Fact>
constexpr bool gain_does(int type) {
    constexpr unsigned types = kinds_that(gain_kinds, Fact);
    return (types >> type & 1) != 0;
}
template <unsigned Fact>
constexpr bool bias_does(int type) {
    constexpr unsigned types = kinds_that(bias_kinds, Fact);
    return (types >> type & 1) != 0;
}

// Whether the input of the force is a state that follows the control, rather than the control.
constexpr bool has_dynamics(int dyntype) { return dyntype != dyn::none; }

// The force is the input times a constant.
constexpr bool is_plain_motor(int gaintype, int biastype) { return gaintype == gain::fixed && biastype == bias::none; }

// A position servo of plain kinds: gain (set point) - gain (length), so that gainprm[0] = -biasprm[1].
template <class P>
constexpr bool is_position_servo(int gaintype, int biastype, const P& gainprm, const P& biasprm) {
    return gaintype == gain::fixed && biastype == bias::affine && all(gainprm[0] == -biasprm[1]);
}

// gainprm of a controller: gains, the largest force of the integral and the largest rate of the set point, and if there are such bounds.
namespace controller {
enum : int { kp, ki, kd, imax, slewmax, has_imax, has_slewmax };
}

// How many states an actuator of these kinds has, where actdim does not say.
template <class P>
constexpr int actuator_states(int dyntype, int gaintype, const P& dynprm, const P& gainprm) {
    // of a controller: the integral, the set point before
    const int own = gaintype == gain::controller ? (gainprm[controller::ki] != 0) + (gainprm[controller::has_slewmax] != 0) : 0;
    if (!has_dynamics(dyntype) || (dyn_kinds[dyntype].facts & actuator_fact::stateless)) return own;
    if (dyntype == dyn::pid) return (dynprm[1] > 0) + (gainprm[0] > 0);  // a set point of limited slew, an integral
    return own + (gaintype == gain::so3 ? 3 : 1);
}

// What its controls are, as bits of ctrl_input or a chart of rotations, where `input` may not have said; and how many that makes.
constexpr int actuator_inputs(int gaintype, int given) {
    if (given != 0) return given;
    if (gain_does<actuator_fact::rotation>(gaintype)) return ctrl_chart::expmap;
    if (gain_does<actuator_fact::servo>(gaintype)) return ctrl_input::pos | ctrl_input::vel;
    return gaintype == gain::dcmotor ? ctrl_input::voltage : 0;
}
constexpr int control_count(int gaintype, int inputs) {
    if (!gain_does<actuator_fact::signature>(gaintype)) return 1;
    if (gain_does<actuator_fact::rotation>(gaintype)) return inputs == ctrl_chart::quat ? 4 : 3;
    int count = 0;
    for (int input = ctrl_input::pos; input <= ctrl_input::voltage; input *= 2) count += (inputs & input) != 0;
    return count;
}

static_assert(in_order(dyn_kinds) && in_order(gain_kinds) && in_order(bias_kinds), "rows stand in the order of the numbers");

}  // namespace mjx::inner
