// The `dcmotor` shortcut: a motor from its data sheet. Motor constant K and resistance R may be given or follow from the nominal
// voltage, stall torque and no-load speed; states are added for the controller, the winding's temperature, friction bristles and
// the current. gainprm: R K alpha T0 kp ki kd vmax; dynprm: te (di/dt)max RT C Ta sigma0 sigma1 slewmax Imax; biasprm: cogging
// amplitude, periodicity and phase, then Coulomb, static and Stribeck friction.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

#include <cmath>

namespace mjx::inner::mjcf {

[[gnu::cold]] inline double number_or(const Element& e, const char* name, double otherwise) {
    get(e, name, otherwise);
    return otherwise;
}

[[gnu::cold]] inline void fail_if(const Element& e, bool wrong, const char* message) {
    if (wrong) e.fail(message);
}

// The signature of inputs: a chart of rotations, 'none', or some of pos vel ff voltage in this order.
inline constexpr const char* input_tokens[] = {"pos", "vel", "ff", "voltage"};
[[gnu::cold]] inline void get_input(const Element& e, int& ctrlspec) {
    if (!e.has("input")) return;
    const std::string text = e.text("input");
    if (text == "expmap" || text == "quat")
        ctrlspec = text == "quat" ? int(ctrl_chart::quat) : int(ctrl_chart::expmap);
    else if (text == "none")
        ctrlspec = ctrl_input::none;
    else {
        int bits = 0, next = 0;
        for (const std::string_view word : split_words(text)) {
            while (next < 4 && word != input_tokens[next]) ++next;
            fail_if(e, next == 4, "attribute 'input': expected expmap, quat, none, or some of pos vel ff voltage in this order");
            bits |= 1 << next++;
        }
        ctrlspec = bits;
    }
}

namespace detail {

// The back-EMF constant from the no-load speed w0 = V Ke / (Ke² + R B), B being the viscous damping.
[[gnu::cold]] inline double back_emf(double voltage, double stall_torque, double speed, double R, double B) {
    const double simple = voltage / speed;
    if (B > 0 && R > 0) {
        const double discriminant = voltage * voltage - 4 * R * B * speed * speed;
        return discriminant > 0 ? (voltage + std::sqrt(discriminant)) / (2 * speed) : simple;
    }
    if (B > 0 && stall_torque > 0) {
        const double exact = simple - voltage * B / stall_torque;
        return exact > 0 ? exact : simple;
    }
    return simple;
}

[[gnu::cold]] inline void motor_constants(const Element& e, SpecActuator& a, const Vec<double, 2>& motorconst, double R) {
    Vec3d nominal{{0, 0, 0}};  // voltage, stall torque, no-load speed
    get(e, "nominal", nominal);
    const double Kt = motorconst[0];
    double Ke = motorconst[1];
    if (nominal[0] > 0 && Ke <= 0 && nominal[2] > 0) Ke = back_emf(nominal[0], nominal[1], nominal[2], R, a.damping[0]);
    const double K = Kt > 0 && Ke > 0 ? std::sqrt(Kt * Ke) : Kt > 0 ? Kt : Ke;
    if (R == 0 && nominal[0] > 0 && nominal[1] > 0 && K > 0) R = K * nominal[0] / nominal[1];
    fail_if(e, K <= 0, "the motor constant is not positive, expected 'motorconst' or 'nominal'");
    fail_if(e, R <= 0, "the resistance is not positive, expected 'resistance' or 'nominal'");
    a.gainprm[0] = R;
    a.gainprm[1] = K;
}

[[gnu::cold]] inline bool thermal_model(const Element& e, SpecActuator& a, const Vec<double, 6>& thermal) {
    double RT = thermal[0], C = thermal[1];
    const double time = thermal[2];
    if (!(RT > 0 || C > 0 || time > 0)) return false;
    if (time > 0 && RT > 0 && C == 0)
        C = time / RT;
    else if (time > 0 && C > 0 && RT == 0)
        RT = time / C;
    fail_if(e, RT <= 0 || C <= 0, "'thermal' gives no positive resistance and capacitance, expected both or one and the time constant");
    a.dynprm[2] = RT;
    a.dynprm[3] = C;
    a.dynprm[4] = thermal[5];
    a.gainprm[2] = thermal[3];
    a.gainprm[3] = thermal[4];
    return true;
}

}  // namespace detail

// A motor's data sheet as the attributes have it.
struct MotorSheet {
    double resistance;
    Vec<double, 2> motorconst, inductance;
    Vec3d saturation, cogging;
    Vec<double, 6> controller, thermal;
    Vec<double, 5> lugre;
};

// What the element says, and of the rest what a class has said before, if it described a motor.
[[gnu::cold]] inline MotorSheet read_motor(const Element& e, const SpecActuator& a) {
    const bool inherited = a.gaintype == gain::dcmotor;
    const auto keep = [&](double value) { return inherited ? value : 0; };
    const auto &g = a.gainprm, &b = a.biasprm, &d = a.dynprm;
    MotorSheet s{.resistance = number_or(e, "resistance", keep(g[0])),
                 .motorconst{{keep(g[1]), 0}},
                 .inductance{{0, keep(d[0])}},
                 .saturation{{0, 0, keep(d[1])}},
                 .cogging{{keep(b[0]), keep(b[1]), keep(b[2])}},
                 .controller{{keep(g[4]), keep(g[5]), keep(g[6]), keep(d[7]), keep(d[8]), keep(g[7])}},
                 .thermal{{keep(d[2]), keep(d[3]), 0, keep(g[2]), keep(g[3]), keep(d[4])}},
                 .lugre{{keep(d[5]), keep(d[6]), keep(b[3]), keep(b[4]), keep(b[5])}}};
    get(e, "motorconst", s.motorconst);
    get(e, "saturation", s.saturation);
    get(e, "inductance", s.inductance);
    get(e, "cogging", s.cogging);
    get(e, "controller", s.controller);
    get(e, "thermal", s.thermal);
    get(e, "lugre", s.lugre);
    return s;
}

[[gnu::cold]] inline void set_dcmotor(const Element& e, SpecActuator& a) {
    if (a.gaintype != gain::dcmotor) a.ctrlspec = 0;
    const auto [resistance, motorconst, inductance, saturation, cogging, controller, thermal, lugre] = read_motor(e, a);
    get_input(e, a.ctrlspec);
    detail::motor_constants(e, a, motorconst, resistance);
    fail_if(e, inductance[0] < 0 || inductance[1] < 0, "'inductance' is negative, expected zero or more");
    a.dyntype = dyn::dcmotor;
    a.gaintype = gain::dcmotor;
    a.biastype = bias::dcmotor;
    for (int i = 0; i < 3; ++i) {
        a.gainprm[4 + i] = controller[i];
        a.biasprm[i] = cogging[i];
    }
    a.dynprm[7] = controller[3];
    a.dynprm[8] = controller[4];
    if (controller[5] > 0) a.gainprm[7] = controller[5];
    if (saturation[0] > 0 || saturation[1] > 0) {
        const double torque = saturation[0] == 0 ? a.gainprm[1] * saturation[1] : saturation[0];
        a.forcerange = {{-torque, torque}};
        a.forcelimited = Tristate::yes;
    }
    if (saturation[2] > 0) a.dynprm[1] = saturation[2];
    a.dynprm[0] = inductance[0] > 0 ? inductance[0] / a.gainprm[0] : inductance[1];
    const bool heats = detail::thermal_model(e, a, thermal);
    if (lugre[0] > 0) {
        a.dynprm[5] = lugre[0];
        a.dynprm[6] = lugre[1];
        for (int i = 0; i < 3; ++i) a.biasprm[3 + i] = lugre[2 + i];
    }
    a.gainprm[8] = 0;
    a.actdim = (controller[3] > 0) + (controller[1] > 0) + heats + (lugre[0] > 0) + (a.dynprm[0] > 0);
    a.actlimited = Tristate::no;  // one range cannot bound such different states
    a.actearly = true;
}

}  // namespace mjx::inner::mjcf
