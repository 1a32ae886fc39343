// <actuator>: `general` names gain, bias and dynamics itself; the shortcuts set them from parameters of their own. A default class
// has one actuator for all shortcuts, so parameters start from what the class left in gainprm, biasprm and dynprm.
// MuJoCo manual, "Actuation model" and the XML reference of each shortcut.
#pragma once

#include "mjx/io/mjcf/dcmotor.hpp"
#include "mjx/io/mjcf/plugins.hpp"

#include <numbers>

namespace mjx::inner::mjcf {

namespace detail {

// Damping of a servo: kv is stored negative, a damping ratio positive, to be resolved when the inertia is known.
[[gnu::cold]] inline void servo_damping(const Element& e, SpecActuator& a) {
    fail_if(e, e.has("kv") && e.has("dampratio"), "both 'kv' and 'dampratio' are given, expected one of them");
    const double kv = number_or(e, "kv", 0), ratio = number_or(e, "dampratio", 0);
    fail_if(e, kv < 0 || ratio < 0, "'kv' or 'dampratio' is negative, expected zero or more");
    if (e.has("kv")) a.biasprm[2] = -kv;
    if (e.has("dampratio")) a.biasprm[2] = ratio;
}

// Of a servo that pulls to its set point: kp is the gain, and minus the slope of the bias.
[[gnu::cold]] inline void servo_gains(const Element& e, SpecActuator& a) {
    a.gainprm[0] = number_or(e, "kp", a.gainprm[0]);
    a.biasprm[1] = -a.gainprm[0];
    servo_damping(e, a);
}

inline bool has_range(const Vec<double, 2>& range) { return range[0] != 0 || range[1] != 0; }

[[gnu::cold]] inline void set_motor(const Element&, SpecActuator& a) {
    a.gainprm[0] = 1;
    a.dyntype = dyn::none;
    a.gaintype = gain::fixed;
    a.biastype = bias::none;
}

[[gnu::cold]] inline void set_position(const Element& e, SpecActuator& a) {
    servo_gains(e, a);
    double timeconst = 0;
    if (get(e, "timeconst", timeconst)) {
        fail_if(e, timeconst < 0, "'timeconst' is negative, expected zero or more");
        a.dynprm[0] = timeconst;
        a.dyntype = timeconst == 0 ? int(dyn::none) : int(dyn::filterexact);
    }
    get(e, "inheritrange", a.inheritrange);
    a.gaintype = gain::fixed;
    a.biastype = bias::affine;
    fail_if(e, e.tag == "position" && a.inheritrange > 0 && has_range(a.ctrlrange),
            "both 'ctrlrange' and 'inheritrange' are given, expected one of them");
}

[[gnu::cold]] inline void set_intvelocity(const Element& e, SpecActuator& a) {
    // MuJoCo 3.12 leaves the bias of the class when a control range meets inheritrange; so do we.
    const int class_bias = a.biastype;
    set_position(e, a);
    if (a.inheritrange > 0 && has_range(a.ctrlrange)) a.biastype = class_bias;
    a.dyntype = dyn::integrator;
    fail_if(e, a.inheritrange > 0 && has_range(a.actrange), "both 'actrange' and 'inheritrange' are given, expected one of them");
}

[[gnu::cold]] inline void set_velocity(const Element& e, SpecActuator& a) {
    const double kv = number_or(e, "kv", a.gainprm[0]);
    a.biasprm = {};
    a.gainprm[0] = kv;
    a.biasprm[2] = -kv;
    a.dyntype = dyn::none;
    a.gaintype = gain::fixed;
    a.biastype = bias::affine;
}

[[gnu::cold]] inline void set_damper(const Element& e, SpecActuator& a) {
    const double kv = number_or(e, "kv", a.gaintype == gain::affine ? -a.gainprm[2] : 0);
    fail_if(e, kv < 0, "'kv' is negative, expected zero or more");
    fail_if(e, a.ctrlrange[0] < 0 || a.ctrlrange[1] < 0, "'ctrlrange' of a damper is negative, expected zero or more");
    a.gainprm = {};
    a.gainprm[2] = -kv;
    a.ctrllimited = Tristate::yes;
    a.dyntype = dyn::none;
    a.gaintype = gain::affine;
    a.biastype = bias::none;
}

[[gnu::cold]] inline void set_cylinder(const Element& e, SpecActuator& a) {
    Vec3d bias{{a.biasprm[0], a.biasprm[1], a.biasprm[2]}};
    get(e, "bias", bias);
    for (int i = 0; i < 3; ++i) a.biasprm[i] = bias[i];
    a.dynprm[0] = number_or(e, "timeconst", a.dynprm[0]);
    a.gainprm[0] = number_or(e, "area", a.gainprm[0]);
    const double diameter = number_or(e, "diameter", -1);
    if (diameter >= 0) a.gainprm[0] = std::numbers::pi / 4 * diameter * diameter;
    a.dyntype = dyn::filter;
    a.gaintype = gain::fixed;
    a.biastype = bias::affine;
}

// gainprm: range[2] force scale lmin lmax vmax fpmax fvmax; a value that the class left at the global default becomes the muscle's.
[[gnu::cold]] inline void set_muscle(const Element& e, SpecActuator& a) {
    constexpr double muscle_default[] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
    constexpr const char* names[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
    if (a.dynprm[0] == 1) a.dynprm[0] = 0.01;
    if (a.dynprm[1] == 0) a.dynprm[1] = 0.04;
    for (int i = 0; i < 9; ++i)
        if (a.gainprm[i] == (i == 0 ? 1 : 0)) a.gainprm[i] = muscle_default[i];
    a.dynprm[2] = number_or(e, "tausmooth", a.dynprm[2]);
    fail_if(e, a.dynprm[2] < 0, "'tausmooth' is negative, expected zero or more");
    Vec<double, 2> timeconst{{-1, -1}}, range{{-1, -1}};
    get(e, "timeconst", timeconst);
    get(e, "range", range);
    for (int i = 0; i < 2; ++i) {
        if (timeconst[i] >= 0) a.dynprm[i] = timeconst[i];
        if (range[i] >= 0) a.gainprm[i] = range[i];
    }
    for (int i = 0; i < 7; ++i)
        if (const double value = number_or(e, names[i], -1); value >= 0) a.gainprm[2 + i] = value;
    for (int i = 0; i < 9; ++i) a.biasprm[i] = a.gainprm[i];
    a.dyntype = dyn::muscle;
    a.gaintype = gain::muscle;
    a.biastype = bias::muscle;
}

[[gnu::cold]] inline void set_adhesion(const Element& e, SpecActuator& a) {
    a.gainprm[0] = number_or(e, "gain", a.gainprm[0]);
    fail_if(e, a.gainprm[0] < 0, "'gain' is negative, expected zero or more");
    fail_if(e, a.ctrlrange[0] < 0 || a.ctrlrange[1] < 0, "'ctrlrange' of adhesion is negative, expected zero or more");
    a.ctrllimited = Tristate::yes;
    a.gaintype = gain::fixed;
    a.biastype = bias::none;
}

[[gnu::cold]] inline void set_orientation(const Element& e, SpecActuator& a) {
    servo_gains(e, a);
    get_input(e, a.ctrlspec);
    a.gaintype = gain::so3;
    a.biastype = bias::so3;
    a.dyntype = dyn::none;
}

// ki is in gainprm[0], kp and kv in biasprm[1..2], imax and slewmax in dynprm[0..1].
[[gnu::cold]] inline void set_pid(const Element& e, SpecActuator& a) {
    const bool inherited = a.dyntype == dyn::pid;
    a.biasprm[1] = -number_or(e, "kp", -a.biasprm[1]);
    servo_damping(e, a);
    const double ki = number_or(e, "ki", inherited ? a.gainprm[0] : 0);
    const double imax = number_or(e, "imax", inherited ? a.dynprm[0] : 0);
    const double slewmax = number_or(e, "slewmax", inherited ? a.dynprm[1] : 0);
    fail_if(e, slewmax < 0, "'slewmax' is negative, expected zero or more");
    a.gainprm[0] = ki;
    a.dynprm[1] = slewmax;
    a.dyntype = ki != 0 || slewmax != 0 ? int(dyn::pid) : int(dyn::none);
    if (ki != 0) a.dynprm[0] = imax;
    get_input(e, a.ctrlspec);
    get(e, "posrange", a.ctrlrange);
    get(e, "inheritrange", a.inheritrange);
    fail_if(e, a.inheritrange > 0 && has_range(a.ctrlrange), "both 'posrange' and 'inheritrange' are given, expected one of them");
    a.gaintype = gain::pid;
    a.biastype = bias::affine;
}

}  // namespace detail

[[gnu::cold]] inline void get_transmission(const Element& e, SpecActuator& a) {
    for (const TransmissionKind& kind : transmission_kinds)
        if (*kind.word && get(e, kind.word, a.target)) a.trntype = kind.type;
    const bool crank = e.has("cranklength");
    const bool slider = get(e, "slidersite", a.slidersite);
    const bool refsite = get(e, "refsite", a.refsite);
    if ((crank || slider) && a.trntype != trn::slidercrank && a.trntype != trn::undefined)
        e.fail("'cranklength' or 'slidersite' without 'cranksite', expected a slider-crank");
    if (refsite && a.trntype != trn::site && a.trntype != trn::undefined) e.fail("'refsite' without 'site', expected a site transmission");
}

[[gnu::cold]] inline void get_actuator(const Element& e, SpecActuator& a) {
    read_attributes(e, actuator_attributes, a);
    read_attributes(e, ctrllimited_attributes, a);
    read_attributes(e, forcelimited_attributes, a);
    read_attributes(e, actlimited_attributes, a);
    read_attributes(e, mechanics_attributes, a);
    read_attributes(e, general_attributes, a);
    get_transmission(e, a);

    struct Shortcut {
        const char* tag;
        void (*set)(const Element&, SpecActuator&);
    };
    static constexpr Shortcut shortcuts[] = {
        {"general", [](const Element& element, SpecActuator& actuator) { get_input(element, actuator.ctrlspec); }},
        {"motor", detail::set_motor},
        {"position", detail::set_position},
        {"velocity", detail::set_velocity},
        {"intvelocity", detail::set_intvelocity},
        {"orientation", detail::set_orientation},
        {"pid", detail::set_pid},
        {"damper", detail::set_damper},
        {"cylinder", detail::set_cylinder},
        {"muscle", detail::set_muscle},
        {"adhesion", detail::set_adhesion},
        {"dcmotor", set_dcmotor},
    };
    for (const Shortcut& shortcut : shortcuts)
        if (e.tag == shortcut.tag) shortcut.set(e, a);
}

// <plugin plugin="mujoco.pid">: a PID controller; the dynamics of the element or its class act on its set point.
[[gnu::cold]] inline void get_controller(const Reader& r, const Element& e, SpecActuator& a) {
    const Element config = find_instance(r, e, PluginUse::actuator).config;
    a.gaintype = gain::controller;
    a.biastype = bias::none;
    a.gainprm = {};
    a.biasprm = {};
    for (std::size_t i = 0; i < config.rule->attributes.size(); ++i) get(config, config.rule->attributes[i].name, a.gainprm.e[i]);
    a.gainprm[controller::has_imax] = config.has("imax");
    a.gainprm[controller::has_slewmax] = config.has("slewmax");
}

[[gnu::cold]] inline void read_actuators(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        SpecActuator& a = r.spec.actuators.emplace_back(r.class_of(e).actuator);
        r.identify(e, obj::actuator, a);
        get_actuator(e, a);
        if (e.tag == "plugin") get_controller(r, e, a);
        if (a.target.empty())
            e.fail("no transmission target, expected one of 'joint', 'jointinparent', 'tendon', 'cranksite', 'site', 'body'");
    }
}

}  // namespace mjx::inner::mjcf
