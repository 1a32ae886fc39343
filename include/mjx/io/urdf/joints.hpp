// <joint>, <mimic> and <transmission>.
//
// A planar joint becomes two slides and a hinge (_TX, _TY, _RZ) as in MuJoCo, or one Planar joint when the file says
// <mujoco planar="joint"/>; a fixed one becomes nothing, a `spherical` one a ball. A range that is none (also lower="0" upper="0" of
// continuous joints) is no limit. `effort` bounds the actuator force. A <safety_controller> is a matter of whoever controls the
// robot, and the joint's own limits hold, unless soft_limits asks for its.
#pragma once

#include "mjx/io/urdf/shapes.hpp"

namespace mjx::inner::mjcf {

[[gnu::cold]] inline void urdf_mimic(Reader& r, const Element& e, const std::string& joint) {
    SpecEquality& q = r.spec.equalities.emplace_back(r.main.equality);
    q.where = e.where();
    q.type = eq::joint;
    q.objtype = obj::joint;
    q.name1 = joint;
    q.name2 = e.text("joint");
    get(e, "offset", q.data[0]);
    get(e, "multiplier", q.data[1]);
}

// The joint that has this among its words.
[[gnu::cold]] inline const JointKind& urdf_kind(std::string_view word) {
    for (const JointKind& kind : all_joints::kinds)
        for (std::string_view words = kind.urdf; !words.empty();) {
            const std::size_t end = std::min(words.find('|'), words.size());
            if (words.substr(0, end) == word) return kind;
            words.remove_prefix(std::min(end + 1, words.size()));
        }
    return kind_of<Hinge>;
}

[[gnu::cold]] inline void urdf_limit(const Reader& r, const Element& e, bool planar, SpecJoint& j) {
    const bool lower = get(e, "lower", j.range[0]), upper = get(e, "upper", j.range[1]);
    if (lower != upper || j.range[0] > j.range[1]) j.limited = Tristate::no;
    if (planar && r.planar_joints) j.range[0] = 0;  // it bounds a distance
    double effort = 0;
    get(e, "effort", effort);
    if (effort != 0) j.actfrcrange = {{-std::abs(effort), std::abs(effort)}};
}

// The range of a joint becomes what its soft limits leave of it; one that is not given is as far as the joint goes.
[[gnu::cold]] inline void urdf_soft_limits(const Element& e, SpecJoint& j) {
    const bool limited = j.limited != Tristate::no && j.range[0] < j.range[1];
    Vec<double, 2> soft = j.range;
    const bool lower = get(e, "soft_lower_limit", soft[0]), upper = get(e, "soft_upper_limit", soft[1]);
    if (!lower && !upper) return;
    if (limited) soft = {{std::max(soft[0], j.range[0]), std::min(soft[1], j.range[1])}};
    if ((!limited && lower != upper) || soft[0] >= soft[1])
        e.fail("leaves the joint no range, expected soft_lower_limit below soft_upper_limit and both within the joint's limits");
    j.range = soft;
    j.limited = Tristate::automatic;
}

[[gnu::cold]] inline void read_joint(Reader& r, const Element& e, SpecBody& body) {
    const std::string word = e.text("type");
    if (word == "fixed") return;
    Vec3d axis{{1, 0, 0}};
    if (const Element* written = urdf_child(e, "axis")) get(*written, "xyz", axis);

    SpecJoint joint{.where = e.where(), .axis = axis};
    if (const Element* dynamics = urdf_child(e, "dynamics")) {
        get(*dynamics, "damping", joint.damping[0]);
        get(*dynamics, "friction", joint.frictionloss);
    }
    const auto add = [&](const char* suffix, int kind, const Vec3d& along) -> SpecJoint& {
        SpecJoint& added = body.add_joint(joint);
        added.name = e.text("name") + suffix;
        added.type = kind;
        added.axis = along;
        added.tag = ++r.last_tag;
        r.names.add(obj::joint, added.name);
        return added;
    };
    SpecJoint* first = nullptr;  // the one that is limited
    if (word == "planar" && !r.planar_joints) {
        const Mat3<double> frame = to_mat3(z_to(direction(e, axis, "the axis")));
        first = &add("_TX", Slide::type, frame.column(0));
        add("_TY", Slide::type, frame.column(1));
        add("_RZ", Hinge::type, axis);
    } else {
        first = &add("", urdf_kind(word).type, axis);
    }
    if (const Element* limit = urdf_child(e, "limit")) urdf_limit(r, *limit, word == "planar", *first);
    if (const Element* safety = urdf_child(e, "safety_controller"); safety && r.urdf.soft_limits) urdf_soft_limits(*safety, *first);
    if (const Element* mimic = urdf_child(e, "mimic")) urdf_mimic(r, *mimic, first->name);
}

[[gnu::cold]] inline void add_free_joint(Reader& r, const Element& link, SpecBody& body) {
    SpecJoint& joint = body.add_joint({.name = link.text("name") + "_free_joint", .where = link.where(), .type = Free::type});
    joint.tag = ++r.last_tag;
    r.names.add(obj::joint, joint.name);
}

// How often the motor of a transmission turns while its joint turns once: <mechanicalReduction> in the joint, the actuator or above.
[[gnu::cold]] inline double urdf_reduction(const Element& transmission, const Element& joint) {
    const Element* found = urdf_child(joint, "mechanicalReduction");
    for (const Element& e : transmission.children)
        if (const Element* inside = urdf_child(e, "mechanicalReduction"); !found && e.tag == "actuator" && inside) found = inside;
    if (!found) found = urdf_child(transmission, "mechanicalReduction");
    if (!found) return 1;
    std::string_view text = found->content, word;
    const auto number = take_word(text, word) ? parse_number<double>(word) : std::nullopt;
    if (!number || *number == 0) found->fail({"'", found->content, "' is not a ratio, expected a number other than 0"});
    return *number;
}

[[gnu::cold]] inline void urdf_motor(Reader& r, const Element& e, const Element& joint, double reduction) {
    const std::string name = joint.text("name");
    if (r.names.has(obj::actuator, name) || urdf_child(joint, "mimic")) return;
    SpecActuator& motor = r.spec.actuators.emplace_back();
    motor.name = name;
    motor.where = e.where();
    motor.trntype = trn::joint;
    motor.target = name;
    motor.gear[0] = reduction;
    motor.tag = ++r.last_tag;
    double effort = 0;
    if (const Element* limit = urdf_child(joint, "limit")) get(*limit, "effort", effort);
    effort = std::abs(effort / reduction);
    motor.ctrlrange = {{-effort, effort}};
    r.names.add(obj::actuator, name);
}

// Motors for the joints of transmissions and for those with an effort limit, in the order of the joints. A joint that mimics another is
// moved by it.
[[gnu::cold]] inline void read_actuators_of_robot(Reader& r, const Element& root) {
    struct Drive {
        const Element* transmission;
        const Element* joint;
    };
    List<Drive> drives;
    NameMap driven;  // where in the list a joint is
    for (const Element& e : root.children) {
        if (e.tag != "transmission") continue;
        for (const Element& joint : e.children)
            if (joint.tag == "joint" && driven.add(joint.text("name"), static_cast<int>(drives.size()))) drives.push_back({&e, &joint});
    }
    for (const Element& e : root.children) {
        const std::string name = e.text("name");
        if (e.tag != "joint" || !r.names.has(obj::joint, name) || !urdf_kind(e.text("type")).scalar) continue;
        const int* drive = driven.find(name);
        double effort = 0;
        if (const Element* limit = urdf_child(e, "limit")) get(*limit, "effort", effort);
        if (drive)
            urdf_motor(r, *drives[*drive].transmission, e, urdf_reduction(*drives[*drive].transmission, *drives[*drive].joint));
        else if (effort != 0)
            urdf_motor(r, e, e, 1);
    }
}

}  // namespace mjx::inner::mjcf
