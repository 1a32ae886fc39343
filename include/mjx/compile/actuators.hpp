// Actuators: targets, control inputs and force outputs, limits, activations, history buffers, and the dofs each output acts on.
#pragma once

#include "mjx/compile/limits.hpp"
#include "mjx/compile/names.hpp"
#include "mjx/stage/row.hpp"

namespace mjx::inner::compiler {

inline constexpr int max_history = 1 << 24;  // the cursor is a scalar: float counts exactly to here

// What an actuator becomes besides its parameters.
struct ActuatorBlocks {
    int trntype = trn::undefined;
    Vec<int, 2> trnid{{-1, -1}};
    int ctrlnum = 1, ctrlspec = 0, outnum = 1, actnum = 0;
};

[[noreturn, gnu::cold]] inline void fail_actuator(const SpecActuator& a, Pieces what) { fail(a, "actuator", what); }
[[noreturn, gnu::cold]] inline void fail_actuator(const SpecActuator& a, std::string_view what) { fail(a, "actuator", what); }

[[gnu::cold]] inline void check_kinds(const SpecActuator& a) {
    const auto known = [](int type, int count) { return type >= 0 && type < count; };
    if (!known(a.dyntype, ndyn_kinds)) fail_actuator(a, "unknown dyntype");
    if (!known(a.gaintype, ngain_kinds)) fail_actuator(a, "unknown gaintype");
    if (!known(a.biastype, nbias_kinds)) fail_actuator(a, "unknown biastype");
}

[[gnu::cold]] inline void resolve_transmission(const SpecActuator& a, ActuatorBlocks& b, const Names& names) {
    if (a.target.empty()) fail_actuator(a, "has no transmission target");
    const TransmissionKind* const kind = find_transmission(a.trntype);
    if (!kind || a.trntype == trn::so3) fail_actuator(a, "unknown transmission");
    b.trntype = a.trntype;
    if (a.trntype == trn::slidercrank && a.slidersite.empty()) fail_actuator(a, "a slider-crank needs slidersite");
    if (a.trntype == trn::slidercrank && !(a.cranklength > 0)) fail_actuator(a, "cranklength must be positive");
    b.trnid[0] = names.require(kind->target, a.target, a, "actuator");
    const std::string& second = a.trntype == trn::slidercrank ? a.slidersite : a.refsite;
    if (kind->target == obj::site && !second.empty()) b.trnid[1] = names.require(obj::site, second, a, "actuator");
}

// A geodesic servo on orientations: three torques, three or four controls.
[[gnu::cold]] inline void resolve_so3(SpecActuator& a, ActuatorBlocks& b, const CompiledModel& m) {
    if (a.gaintype != gain::so3 && a.biastype != bias::so3) return;
    if (a.gaintype != gain::so3 || a.biastype != bias::so3) fail_actuator(a, "gaintype and biastype must both be so3");
    if (a.dyntype != dyn::none && a.dyntype != dyn::integrator) fail_actuator(a, "so3 needs dyntype none or integrator");
    if (a.gainprm[0] != -a.biasprm[1]) fail_actuator(a, "so3 needs gainprm[0] equal to -biasprm[1]");
    const bool ball = a.trntype == trn::joint && m.kind(b.trnid[0]).is_rotation();
    if (!ball && !(a.trntype == trn::site && b.trnid[1] >= 0)) fail_actuator(a, "so3 needs a ball joint, or a site with refsite");
    if (a.dyntype == dyn::integrator) {
        if (a.actdim > 0 && a.actdim != 3) fail_actuator(a, "an so3 integrator has actdim 3");
        a.actdim = 3;
        if (a.actlimited == Tristate::yes && a.actrange[0] == 0 && a.actrange[1] == 0) a.actlimited = Tristate::no;
    }
    if (b.ctrlspec != ctrl_chart::expmap && b.ctrlspec != ctrl_chart::quat) fail_actuator(a, "the input of so3 is expmap or quat");
    if (b.ctrlspec == ctrl_chart::quat && has_dynamics(a.dyntype)) fail_actuator(a, "so3 with quat input needs dyntype none");
    if (is_limited(a.forcelimited, a.forcerange) && a.forcerange[0] != 0)
        fail_actuator(a, "forcerange of so3 bounds the norm of the torque, so it starts at 0");
    b.outnum = 3;
    b.trntype = trn::so3;
}

[[gnu::cold]] inline void resolve_pid(SpecActuator& a, ActuatorBlocks& b) {
    const bool servo = gain_does<actuator_fact::servo>(a.gaintype);
    if (a.dyntype == dyn::pid && !servo) fail_actuator(a, "dyntype pid needs gaintype pid");
    if (!servo) return;
    if (a.biastype != bias::affine) fail_actuator(a, "pid needs biastype affine");
    if (a.dyntype != dyn::none && a.dyntype != dyn::pid) fail_actuator(a, "pid needs dyntype none or pid");
    if (!has_dynamics(a.dyntype) && a.gainprm[0] != 0) fail_actuator(a, "ki (gainprm[0]) needs dyntype pid");
    if (a.trntype == trn::body) fail_actuator(a, "pid cannot act on a body");
    constexpr int known = ctrl_input::pos | ctrl_input::vel | ctrl_input::ff;
    if ((b.ctrlspec & ~known) != 0) fail_actuator(a, "inputs of pid are among pos, vel and ff");
    if (a.dyntype == dyn::pid) {
        if (a.dynprm[0] < 0) fail_actuator(a, "imax (dynprm[0]) cannot be negative");
        if (a.dynprm[1] < 0) fail_actuator(a, "slewmax (dynprm[1]) cannot be negative");
        const int states = actuator_states(a.dyntype, a.gaintype, a.dynprm, a.gainprm);
        if (a.actdim > 0 && a.actdim != states) fail_actuator(a, {"actdim must be ", std::to_string(states), " for this pid"});
        a.actdim = states;
        if ((b.ctrlspec & ctrl_input::pos) == 0) fail_actuator(a, "a pid with states needs the pos input");
    }
}

[[gnu::cold]] inline void resolve_controller(SpecActuator& a) {
    if (a.gaintype != gain::controller) return;
    if (a.biastype != bias::none) fail_actuator(a, "a controller needs biastype none");
    if (a.dyntype == dyn::muscle || (dyn_kinds[a.dyntype].facts & actuator_fact::states))
        fail_actuator(a, "a controller needs dyntype none, integrator, filter or filterexact");
    if (a.gainprm[controller::has_imax] != 0 && a.gainprm[controller::imax] * a.gainprm[controller::ki] < 0)
        fail_actuator(a, "imax cannot have another sign than ki");
    if (a.gainprm[controller::has_slewmax] != 0 && a.gainprm[controller::slewmax] < 0) fail_actuator(a, "slewmax cannot be negative");
    const int states = actuator_states(a.dyntype, a.gaintype, a.dynprm, a.gainprm);
    if (a.actdim >= 0 && a.actdim != states) fail_actuator(a, {"actdim must be ", std::to_string(states), " for this controller"});
    a.actdim = states;
}

[[gnu::cold]] inline void resolve_dcmotor(SpecActuator& a, ActuatorBlocks& b) {
    if (a.gaintype != gain::dcmotor) return;
    constexpr int controls = ctrl_input::pos | ctrl_input::vel | ctrl_input::ff;
    const bool none = b.ctrlspec == ctrl_input::none;
    if (!none && (b.ctrlspec & ~(controls | ctrl_input::voltage)) != 0)
        fail_actuator(a, "inputs of dcmotor are none, or among pos, vel, ff and voltage");
    const bool controller = !none && (b.ctrlspec & controls) != 0;
    if (controller && a.gainprm[1] <= 0) fail_actuator(a, "inputs pos, vel and ff need a positive motor constant");
    if (!controller && (a.gainprm[4] != 0 || a.gainprm[5] != 0 || a.gainprm[6] != 0))
        fail_actuator(a, "controller gains need one of the inputs pos, vel and ff");
    if (a.gainprm[5] > 0 && (b.ctrlspec & ctrl_input::pos) == 0) fail_actuator(a, "the integral gain needs the pos input");
    if (!controller && a.dynprm[7] > 0) fail_actuator(a, "slew rate limiting needs one of the inputs pos, vel and ff");
}

// Position-like actuators may take the range of what they move.
[[gnu::cold]] inline void inherit_range(SpecActuator& a, const ActuatorBlocks& b, const CompiledModel& m) {
    const bool position_like = is_position_servo(a.gaintype, a.biastype, a.gainprm, a.biasprm) ||
                               gain_does<actuator_fact::servo>(a.gaintype);
    if (!position_like || a.biastype != bias::affine || !(a.inheritrange > 0)) return;
    const bool position = a.dyntype == dyn::none || a.dyntype == dyn::filterexact || a.dyntype == dyn::pid;
    if (!position && a.dyntype != dyn::integrator) fail_actuator(a, "inheritrange is for position and intvelocity actuators");
    Interval target;
    if (a.trntype == trn::joint) {
        if (!m.kind(b.trnid[0]).scalar) fail_actuator(a, "inheritrange needs a hinge or slide joint");
        target = m.jnt_range[b.trnid[0]];
    } else if (a.trntype == trn::tendon) {
        target = m.tendon_range[b.trnid[0]];
    } else {
        fail_actuator(a, "inheritrange needs a joint or a tendon");
    }
    if (target[0] == target[1]) fail_actuator(a, {"inheritrange is used but ", compiler::quoted(a.target), " has no range"});
    const double mean = 0.5 * (target[0] + target[1]), radius = 0.5 * (target[1] - target[0]) * a.inheritrange;
    (position ? a.ctrlrange : a.actrange) = {{mean - radius, mean + radius}};
}

[[gnu::cold]] inline void check_actuator_limits(const SpecActuator& a, const SpecCompiler& c) {
    check_autolimits(a, "actuator", "force", c.autolimits, a.forcelimited, a.forcerange);
    check_autolimits(a, "actuator", "ctrl", c.autolimits, a.ctrllimited, a.ctrlrange);
    check_autolimits(a, "actuator", "act", c.autolimits, a.actlimited, a.actrange);
    check_range(a, "actuator", "forcerange", a.forcelimited, a.forcerange);
    check_range(a, "actuator", "ctrlrange", a.ctrllimited, a.ctrlrange);
    check_range(a, "actuator", "actrange", a.actlimited, a.actrange);
    if (is_limited(a.actlimited, a.actrange) && !has_dynamics(a.dyntype)) fail_actuator(a, "has actrange but no activation (dyntype none)");
}

[[gnu::cold]] inline void resolve_activation(const SpecActuator& a, ActuatorBlocks& b) {
    if (gain_kinds[a.gaintype].facts & actuator_fact::states) {
        b.actnum = a.actdim;
        return;
    }
    const unsigned facts = dyn_kinds[a.dyntype].facts;
    const bool stateless = (facts & actuator_fact::stateless) != 0;
    if (a.actdim > 1 && !(facts & actuator_fact::states) && b.trntype != trn::so3)
        fail_actuator(a, "actdim above 1 is for dyntype user and dcmotor");
    if (a.actdim == 1 && !has_dynamics(a.dyntype)) fail_actuator(a, "actdim is 1 but dyntype is none");
    if (a.actdim == 0 && has_dynamics(a.dyntype) && !stateless) fail_actuator(a, "actdim is 0 but dyntype has a state");
    b.actnum = a.actdim >= 0 ? a.actdim : actuator_states(a.dyntype, a.gaintype, a.dynprm, a.gainprm);
    if (a.dyntype == dyn::dcmotor && !a.actearly) fail_actuator(a, "actearly cannot be false for a dcmotor");
}

[[gnu::cold]] inline void check_muscle(const SpecActuator& a, const Vec<double, 10>& prm) {
    if (prm[0] >= prm[1]) fail_actuator(a, "range of a muscle needs the smaller length first");
    if (prm[4] >= 1 || prm[5] <= 1) fail_actuator(a, "a muscle needs lmin < 1 < lmax");
    if (prm[3] <= 0 || prm[6] <= 0 || prm[7] <= 0 || prm[8] <= 0)
        fail_actuator(a, "scale, vmax, fpmax and fvmax of a muscle must be positive");
}

[[gnu::cold]] inline void check_actuator(const SpecActuator& a, const ActuatorBlocks& b) {
    if (a.ctrlspec != 0 && !(gain_kinds[a.gaintype].facts & actuator_fact::signature))
        fail_actuator(a, "input is for so3, pid and dcmotor");
    const bool damped = a.damping[0] != 0 || a.damping[1] != 0 || a.damping[2] != 0;
    if ((damped || a.armature != 0) && !transmission_kinds[a.trntype].lends)
        fail_actuator(a, "damping and armature need a joint or a tendon");
    if (a.gaintype == gain::muscle) check_muscle(a, a.gainprm);
    if (a.biastype == bias::muscle) check_muscle(a, a.biasprm);
    if (a.delay > 0 && a.nsample <= 0) fail_actuator(a, "delay needs a history buffer (nsample)");
    if ((a.delay > 0 || a.nsample > 0) && b.ctrlnum == 0) fail_actuator(a, "history and delay need an input");
    if (a.nsample > max_history) fail_actuator(a, "nsample is above 2^24");
}

// Dofs of one output's moment, ascending.
[[gnu::cold]] inline List<int> moment_dofs(const CompiledModel& m, const ActuatorBlocks& b, int output) {
    List<int> dofs;
    const auto chain = [&](int body, int skip) {
        for (int k = skip; k < m.B_rownnz[body]; ++k) dofs.push_back(m.B_colind[m.B_rowadr[body] + k]);
    };
    const auto both = [&](int body1, int body2, int skip) {
        chain(body1, skip);
        chain(body2, skip);
        sort_unique(dofs);
    };
    const int id = b.trnid[0], other = b.trnid[1];
    switch (b.trntype) {
        case trn::joint:
        case trn::jointinparent:
            for (int k = 0; k < m.kind(id).nv; ++k) dofs.push_back(m.jnt_dofadr[id] + k);
            break;
        case trn::tendon:
            for (int k = 0; k < m.ten_J_rownnz[id]; ++k) dofs.push_back(m.ten_J_colind[m.ten_J_rowadr[id] + k]);
            break;
        case trn::slidercrank: both(m.site_bodyid[id], m.site_bodyid[other], 0); break;
        case trn::body:
            for (int i = 0; i < m.nv; ++i) dofs.push_back(i);
            break;
        default:  // site and so3
            if (b.trntype == trn::so3 && other < 0) {
                dofs.push_back(m.jnt_dofadr[id] + output);
            } else {
                const int body = m.site_bodyid[id], reference = other < 0 ? 0 : m.site_bodyid[other];
                both(body, reference, common_dofs(m, body, reference));
            }
    }
    return dofs;
}

[[gnu::cold]] inline void push_actuator(CompiledModel& m, const SpecActuator& a, const ActuatorBlocks& b) {
    ++m.nactuator;
    m.actuator_name.push_back(a.name);
    m.actuator_trntype.push_back(b.trntype);
    m.actuator_dyntype.push_back(a.dyntype);
    m.actuator_gaintype.push_back(a.gaintype);
    m.actuator_biastype.push_back(a.biastype);
    m.actuator_trnid.push_back(b.trnid);
    m.actuator_cranklength.push_back(a.cranklength);
    m.actuator_dynprm.push_back(a.dynprm);
    m.actuator_gainprm.push_back(a.gainprm);
    m.actuator_biasprm.push_back(a.biasprm);
    m.actuator_actlimited.push_back(is_limited(a.actlimited, a.actrange));
    m.actuator_actrange.push_back(a.actrange);
    m.actuator_actearly.push_back(a.actearly);
    m.actuator_damping.push_back(a.damping[0]);
    m.actuator_dampingpoly.push_back({{a.damping[1], a.damping[2]}});
    m.actuator_armature.push_back(a.armature);
    m.actuator_group.push_back(a.group);
    m.actuator_forcelimited.push_back(is_limited(a.forcelimited, a.forcerange));
    m.actuator_forcerange.push_back(a.forcerange);
    m.actuator_actadr.push_back(b.actnum > 0 ? m.na : -1);
    m.actuator_actnum.push_back(b.actnum);
    m.na += b.actnum;
    m.actuator_delay.push_back(a.delay);
    m.actuator_history.push_back({{a.nsample, a.interp}});
    m.actuator_historyadr.push_back(a.nsample > 0 ? m.nhistory : -1);
    if (a.nsample > 0) m.nhistory += 2 + 2 * a.nsample;  // user value, cursor, times, values
}

[[gnu::cold]] inline void push_inputs(CompiledModel& m, const SpecActuator& a, const ActuatorBlocks& b) {
    m.actuator_ctrladr.push_back(m.nu);
    m.actuator_ctrlnum.push_back(b.ctrlnum);
    m.actuator_ctrlspec.push_back(b.ctrlspec);
    m.nu += b.ctrlnum;
    const auto push = [&](bool limited, const Interval& range) {
        m.actuator_ctrllimited.push_back(limited);
        m.actuator_ctrlrange.push_back(range);
    };
    if (gain_does<actuator_fact::servo>(a.gaintype)) {
        if (b.ctrlspec & ctrl_input::pos) push(is_limited(a.ctrllimited, a.ctrlrange), a.ctrlrange);
        if (b.ctrlspec & ctrl_input::vel) push(a.velrange[0] < a.velrange[1], a.velrange);
        if (b.ctrlspec & ctrl_input::ff) push(a.ffrange[0] < a.ffrange[1], a.ffrange);
    } else {
        for (int k = 0; k < b.ctrlnum; ++k) push(is_limited(a.ctrllimited, a.ctrlrange), a.ctrlrange);
    }
}

[[gnu::cold]] inline void push_outputs(CompiledModel& m, const SpecActuator& a, const ActuatorBlocks& b) {
    m.actuator_outadr.push_back(m.nout);
    m.actuator_outnum.push_back(b.outnum);
    m.nout += b.outnum;
    for (int k = 0; k < b.outnum; ++k) {
        m.actuator_gear.push_back(a.gear);
        m.actuator_lengthrange.push_back(a.lengthrange);
        m.moment_rowadr.push_back(m.nJmom);
        for (const int dof : moment_dofs(m, b, k)) m.moment_colind.push_back(dof);
        m.moment_rownnz.push_back(m.moment_colind.size() - m.nJmom);
        m.nJmom = m.moment_colind.size();
    }
}

// Joints and tendons learn which actuator lends them damping and armature: its id, or -2 when there are several.
[[gnu::cold]] inline void link_lenders(CompiledModel& m) {
    for (int i = 0; i < m.nactuator; ++i) {
        const auto& poly = m.actuator_dampingpoly[i];
        if (m.actuator_damping[i] == 0 && poly[0] == 0 && poly[1] == 0 && m.actuator_armature[i] == 0) continue;
        const int type = m.actuator_trntype[i];
        if (!transmission_kinds[type].lends) continue;
        int& lender = (drives_tendon(type) ? m.tendon_actuatorid : m.jnt_actuatorid)[m.actuator_trnid[i][0]];
        lender = lender == -1 ? i : -2;
    }
}

[[gnu::cold]] inline void make_actuators(CompiledModel& m, const Spec& spec, Names& names) {
    for (SpecActuator a : spec.actuators) {
        ActuatorBlocks b;
        check_kinds(a);
        b.ctrlspec = actuator_inputs(a.gaintype, a.ctrlspec);
        b.ctrlnum = control_count(a.gaintype, b.ctrlspec);
        resolve_transmission(a, b, names);
        resolve_so3(a, b, m);
        resolve_pid(a, b);
        resolve_controller(a);
        resolve_dcmotor(a, b);
        inherit_range(a, b, m);
        check_actuator_limits(a, spec.compiler);
        resolve_activation(a, b);
        check_actuator(a, b);
        push_actuator(m, a, b);
        if (static_cast<std::size_t>(m.nhistory) > spec.budget.numbers)
            fail_actuator(a, {"the history buffers up to here are ", over_budget(spec.budget.numbers, "numbers")});
        push_inputs(m, a, b);
        push_outputs(m, a, b);
    }
    link_lenders(m);
    names.set(obj::actuator, m.actuator_name, spec.where);
}

}  // namespace mjx::inner::compiler
