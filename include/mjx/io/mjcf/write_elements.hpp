// A Spec back to elements of MJCF, as the reader would see them: what write_mjcf.hpp is made of.
//
// Everything is written out: angles in radians, orientations as quaternions, no default classes, frames or copies, actuators as
// <general>. Attributes go by the tables that read them, and are left out where they are MuJoCo's defaults. Numbers have as many digits as
// it takes to read the same number again.
#pragma once

#include "mjx/io/mjcf/actuators.hpp"
#include "mjx/io/mjcf/custom.hpp"
#include "mjx/io/mjcf/options.hpp"
#include "mjx/io/mjcf/plugins.hpp"
#include "mjx/io/mjcf/write_values.hpp"

namespace mjx::inner::mjcf {

inline Element& add_element(Element& parent, const char* tag) {
    Element& e = parent.children.emplace_back();
    e.tag = tag;
    return e;
}
// An empty text is not written.
inline void put(Element& e, const char* name, std::string text) {
    if (!text.empty()) e.attributes.emplace_back(name, std::move(text));
}
template <class T>
void put_number(Element& e, const char* name, T value) {
    put(e, name, items_text(&value, 1));
}

// Those that are not what they are in `standard`, and those that MJCF requires.
[[gnu::noinline]] inline void put_rows(Element& e, const AttributeRows& rows, const AttributeRows& standard) {
    const AttributeRow* other = standard.begin();
    for (const AttributeRow& row : rows) {
        const void* const usual = other++->value;
        if (row.type < 0) continue;
        const AttributeRule rule = parse_attribute(row.notation);
        std::string text = write_value(value_types(), row.type, rule, row.value);
        if (rule.required || text != write_value(value_types(), row.type, rule, usual))
            put(e, std::string(rule.name).c_str(), std::move(text));
    }
}
// Rows point to values that may be read into; here they are only looked at.
template <class Item>
void put_attributes(Element& e, void (&table)(AttributeRows&, Item&), const Item& item, const Item& standard) {
    put_rows(e, AttributeRows(table, const_cast<Item&>(item)), AttributeRows(table, const_cast<Item&>(standard)));
}

[[noreturn]] inline void cannot_write(const std::string& where, const std::string& name, const char* what) {
    throw_model_error({where.empty() ? name : where, ": MJCF has no ", what});
}

inline bool is_identity(const Quatd& q) { return q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0; }
inline void put_quat(Element& e, const Quatd& quat) {
    if (!is_identity(quat)) put(e, "quat", items_text(quat.e, 4));
}
inline void put_pose(Element& e, const Vec3d& pos, const Quatd& quat) {
    if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) put(e, "pos", items_text(pos.e, 3));
    put_quat(e, quat);
}

// A parameter of a plugin; not written where its text is empty.
inline void put_config(Element& e, std::string_view key, std::string value) {
    if (value.empty()) return;
    Element& config = add_element(e, "config");
    put(config, "key", std::string(key));
    put(config, "value", std::move(value));
}

// The plugin of a field by formula.
inline void put_field(Element& e, const std::string& where, const std::string& field, const List<double>& params) {
    if (field.empty()) return;
    for (const PluginKind& kind : plugin_kinds) {
        if (!kind.field || field != kind.field) continue;
        Element& plugin = add_element(e, "plugin");
        put(plugin, "plugin", kind.name);
        const List<AttributeRule>& keys = schema_rule(kind.name).attributes;
        for (std::size_t i = 0; i < params.size() && i < keys.size(); ++i) put_config(plugin, keys[i].name, items_text(&params[i], 1));
        return;
    }
    cannot_write(where, field, "such signed distance field");
}

inline void put_cable(Element& e, const SpecCable& cable) {
    put_config(e, "twist", items_text(&cable.twist, 1));
    put_config(e, "bend", items_text(&cable.bend, 1));
    put_config(e, "flat", cable.flat ? "true" : "false");
    put_config(e, "vmax", items_text(&cable.vmax, 1));
}

// ------------------------------------------------------------------------------------------- the body tree

inline void write_joint(Element& parent, const SpecJoint& j) {
    if (!find_kind(all_joints::kinds, j.type)) cannot_write(j.where, j.name, "joint of this type");
    Element& e = add_element(parent, "joint");
    put(e, "name", j.name);
    put_attributes(e, joint_attributes, j, SpecJoint{});
    if (j.align == Tristate::automatic) return;
    // only <freejoint> can say how it is aligned
    e.tag = "freejoint";
    e.attributes.erase_if([](const auto& attribute) { return attribute.first == "type"; });
    put(e, "align", j.align == Tristate::yes ? "true" : "false");
}

inline void write_geom(Element& parent, const SpecGeom& g) {
    if (g.trimesh) cannot_write(g.where, g.name, "geoms that collide by their triangles");
    if (g.type >= static_cast<int>(std::size(all_shapes::rows))) cannot_write(g.where, g.name, "shape of this type");
    Element& e = add_element(parent, "geom");
    put(e, "name", g.name);
    put_attributes(e, geom_attributes, g, SpecGeom{});
    if (!g.fromto) put_quat(e, g.quat);
    put_field(e, g.where, g.sdf, g.sdf_params);
}

template <class Item>
void write_posed(Element& parent, const char* tag, void (&table)(AttributeRows&, Item&), const Item& item) {
    Element& e = add_element(parent, tag);
    put(e, "name", item.name);
    put_attributes(e, table, item, Item{});
    if constexpr (requires { item.quat; }) put_quat(e, item.quat);
}

inline void write_inertial(Element& parent, const SpecInertial& i) {
    Element& e = add_element(parent, "inertial");
    put_attributes(e, inertial_attributes, i, SpecInertial{});
    if (!i.fullinertia) {  // which turns the frame by itself
        put_quat(e, i.quat);
        if (!(i.diaginertia[0] != 0 || i.diaginertia[1] != 0 || i.diaginertia[2] != 0)) put(e, "diaginertia", "0 0 0");
    }
}

// A body without mass has its inertial frame where it is written; one that was written inside of a frame says so.
inline void write_massless_frame(Element& e, const SpecBody& b) {
    if (!b.own_pose || b.inertial) return;
    const auto& [pos, quat] = *b.own_pose;
    const auto same = [](const auto& x, const auto& y, int n) { return std::equal(x.e, x.e + n, y.e); };
    if (same(pos, b.pos, 3) && same(quat, b.quat, 4)) return;
    for (const SpecGeom& g : b.geoms)
        if (g.mass ? *g.mass > 0 : g.density > 0) return;
    write_inertial(e, SpecInertial{.pos = pos, .quat = quat});
}

inline void write_contents(Element& e, const SpecBody& b, int depth);

inline void write_body(Element& parent, const SpecBody& b, int depth) {
    if (depth > 500) cannot_write(b.where, b.name, "bodies nested this deep");
    Element& e = add_element(parent, "body");
    put(e, "name", b.name);
    put_pose(e, b.pos, b.quat);
    put_attributes(e, body_attributes, b, SpecBody{});
    for (int place = 1; place < static_cast<int>(std::size(sleep_policies)); ++place)
        if (b.sleep == sleep_policies[place]) put(e, "sleep", std::string(schema_rule("body").attribute("sleep")->word(place)));
    if (b.inertial) write_inertial(e, *b.inertial);
    write_massless_frame(e, b);
    if (b.cable) {
        Element& plugin = add_element(e, "plugin");
        put(plugin, "plugin", "mujoco.elasticity.cable");
        put(plugin, "instance", b.cable->chain);
        if (b.cable->chain.empty()) put_cable(plugin, *b.cable);
    }
    write_contents(e, b, depth);
}

inline void write_contents(Element& e, const SpecBody& b, int depth) {
    for (const SpecJoint& j : b.joints) write_joint(e, j);
    for (const SpecGeom& g : b.geoms) write_geom(e, g);
    for (const SpecSite& s : b.sites) write_posed(e, "site", site_attributes, s);
    for (const SpecCamera& c : b.cameras) write_posed(e, "camera", camera_attributes, c);
    for (const SpecLight& l : b.lights) write_posed(e, "light", light_attributes, l);
    for (const SpecBody& child : b.bodies) write_body(e, child, depth + 1);
}

// ------------------------------------------------------------------------------------------- tendons, equalities, actuators, sensors

inline void write_tendon(Element& section, const SpecTendon& t, const Defaults& standard) {
    const bool fixed = !t.path.empty() && t.path.front().type == wrap::joint;
    Element& e = add_element(section, fixed ? "fixed" : "spatial");
    put(e, "name", t.name);
    put_attributes(e, tendon_attributes, t, standard.tendon);
    if (!fixed) put_attributes(e, spatial_attributes, t, standard.tendon);
    for (const SpecWrap& w : t.path) {
        const bool pulley = w.type == wrap::pulley;
        const char* const tag = w.type == wrap::joint ? "joint" : w.type == wrap::site ? "site" : pulley ? "pulley" : "geom";
        Element& step = add_element(e, tag);
        if (!pulley) put(step, tag, w.name);
        put(step, "sidesite", w.sidesite);
        if (pulley) put_number(step, "divisor", w.prm);
        if (w.type == wrap::joint) put_number(step, "coef", w.prm);
    }
}

inline void put_data(Element& e, const char* name, const SpecEquality& q, int first, int count) {
    put(e, name, items_text(q.data.e + first, static_cast<std::size_t>(count)));
}

inline void write_equality(Element& section, const SpecEquality& q, const Defaults& standard) {
    const EqualityKind* const kind = find_equality(q.type);
    const std::string tag(kind ? equality_words[q.type] : "");
    if (tag.empty()) cannot_write(q.where, q.name, "equality of this type");
    Element& e = add_element(section, tag.c_str());
    put(e, "name", q.name);
    put_attributes(e, equality_attributes, q, standard.equality);
    const bool sites = q.objtype == obj::site, frames = ties_frames(q.type), rotations = ties_rotations(q.type);
    const std::string object = !frames ? tag : sites ? "site" : "body";
    put(e, (object + "1").c_str(), q.name1);
    put(e, (object + "2").c_str(), q.name2);
    if (!frames) put_data(e, "polycoef", q, 0, 5);
    if (frames && !sites) put_data(e, "anchor", q, 0, 3);
    if (rotations && !sites) put_data(e, "relpose", q, 3, 7);
    if (rotations) put_data(e, "torquescale", q, 10, 1);
}

inline std::string input_text(int ctrlspec, bool rotation) {
    if (rotation) return ctrlspec == ctrl_chart::quat ? "quat" : "expmap";
    if (ctrlspec == ctrl_input::none) return "none";
    std::string text;
    for (int bit = 0; bit < 4; ++bit)
        if (ctrlspec >> bit & 1) text += (text.empty() ? "" : " ") + std::string(input_tokens[bit]);
    return text;
}

inline void put_transmission(Element& e, const SpecActuator& a) {
    for (const TransmissionKind& kind : transmission_kinds)
        if (*kind.word && a.trntype == kind.type) put(e, kind.word, a.target);
    put(e, "refsite", a.refsite);
    put(e, "slidersite", a.slidersite);
}

// inheritrange belongs to the shortcuts that have servos: their gains in their own words.
inline void put_servo(Element& e, const SpecActuator& a) {
    const bool pid = gain_does<actuator_fact::servo>(a.gaintype);
    e.tag = pid ? "pid" : a.dyntype == dyn::integrator ? "intvelocity" : "position";
    put_number(e, "inheritrange", a.inheritrange);
    put_number(e, "kp", pid ? -a.biasprm[1] : a.gainprm[0]);
    if (a.biasprm[2] != 0 || std::signbit(a.biasprm[2])) put_number(e, a.biasprm[2] > 0 ? "dampratio" : "kv", std::abs(a.biasprm[2]));
    if (a.dyntype == dyn::filterexact) put_number(e, "timeconst", a.dynprm[0]);
    if (!pid) return;
    put_number(e, "ki", a.gainprm[0]);
    put_number(e, "imax", a.dynprm[0]);
    put_number(e, "slewmax", a.dynprm[1]);
    for (const auto& [name, range] : {std::pair{"velrange", a.velrange}, {"ffrange", a.ffrange}}) put(e, name, items_text(range.e, 2));
}

// A controller is a plugin, which has fewer attributes than <general>. MuJoCo wants to be told how many states it has.
inline void put_controller(Element& e, const SpecActuator& a) {
    const ElementRule& rule = schema_rule("actuator_plugin");
    e.attributes.erase_if([&](const auto& attribute) { return attribute.first == "actdim" || !rule.attribute(attribute.first); });
    e.tag = "plugin";
    put(e, "plugin", "mujoco.pid");
    put_number(e, "actdim", actuator_states(a.dyntype, a.gaintype, a.dynprm, a.gainprm));
    const List<AttributeRule>& keys = schema_rule("mujoco.pid").attributes;
    for (const int k : {controller::kp, controller::ki, controller::kd, controller::imax, controller::slewmax}) {
        const bool absent = (k == controller::imax && a.gainprm[controller::has_imax] == 0) ||
                            (k == controller::slewmax && a.gainprm[controller::has_slewmax] == 0);
        if (!absent) put_config(e, keys[static_cast<std::size_t>(k)].name, items_text(&a.gainprm[k], 1));
    }
}

inline void write_actuator(Element& section, const SpecActuator& a) {
    const SpecActuator standard;
    Element& e = add_element(section, "general");
    put(e, "name", a.name);
    put_transmission(e, a);
    put_attributes(e, actuator_attributes, a, standard);
    put_attributes(e, ctrllimited_attributes, a, standard);
    put_attributes(e, forcelimited_attributes, a, standard);
    put_attributes(e, mechanics_attributes, a, standard);
    if (a.ctrlspec != 0) put(e, "input", input_text(a.ctrlspec, gain_does<actuator_fact::rotation>(a.gaintype)));
    if (a.inheritrange > 0) return put_servo(e, a);
    put_attributes(e, actlimited_attributes, a, standard);
    put_attributes(e, general_attributes, a, standard);
    if (a.gaintype == gain::controller) put_controller(e, a);
}

template <std::size_t N>
void put_object(Element& e, const ObjectAttribute (&choices)[N], const std::string& name, int kind, const char* type) {
    for (const ObjectAttribute& choice : choices) {
        if (!choice.name || name.empty() || (choice.kind != obj::unknown && choice.kind != kind)) continue;
        if (choice.kind == obj::unknown) put(e, type, Reader::kind_name(kind));
        return put(e, choice.name, name);
    }
}

inline void put_touch_grid(Element& e, const SpecSensor& s) {
    put_config(e, "nchannel", items_text(&s.intprm[0], 1));
    put_config(e, "size", items_text(&s.intprm[1], 2));
    put_config(e, "fov", items_text(s.fov.e, 2));
    put_config(e, "gamma", items_text(&s.gamma, 1));
}

inline void write_sensor(Element& section, const SpecSensor& s) {
    const SensorKind* kind = find_sensor_kind(s.type);
    if (!kind) cannot_write(s.where, s.name, "sensor of this type");
    Element& e = add_element(section, kind->tag);
    put(e, "name", s.name);
    put_object(e, kind->object.object, s.objname, s.objtype, "objtype");
    put_object(e, kind->object.reference, s.refname, s.reftype, "reftype");
    const ElementRule& rule = schema_rule(kind->object.rule);
    if (const AttributeRule* data = rule.attribute("data")) {
        std::string words;
        for (int bit = 0; !data->word(bit).empty(); ++bit)
            if (s.intprm[0] >> bit & 1) words += (words.empty() ? "" : " ") + std::string(data->word(bit));
        put(e, "data", words);
    }
    if (const AttributeRule* reduce = rule.attribute("reduce")) {
        put(e, "reduce", std::string(reduce->word(s.intprm[1])));
        put_number(e, "num", s.intprm[2]);
    }
    if (s.type == sens::user)
        put_attributes(e, user_sensor_attributes, s, SpecSensor{});
    else
        put_attributes(e, sensor_attributes, s, SpecSensor{});
    if (kind->plugin) put(e, "plugin", kind->plugin);
    if (kind->dim == sensor_dim::grid) put_touch_grid(e, s);
}

}  // namespace mjx::inner::mjcf
