// <sensor>: the table of kinds says which sensor a tag is and which attributes name its objects; the schema, what else it may have.
#pragma once

#include "mjx/io/mjcf/custom.hpp"
#include "mjx/io/mjcf/plugins.hpp"

namespace mjx::inner::mjcf {

// Takes the object from the first of the attributes that is present.
template <std::size_t N>
void get_object(const Element& e, const ObjectAttribute (&choices)[N], std::string& name, int& kind) {
    for (const ObjectAttribute& choice : choices)
        if (choice.name && get(e, choice.name, name)) {
            kind = choice.kind;
            return;
        }
}

[[gnu::cold]] inline const SensorKind& sensor_kind(const Element& e) {
    for (const SensorKind& kind : sensor_kinds)
        if (e.tag == kind.tag) return kind;
    e.fail({"<", e.tag, "> sensors are not supported"});
}

[[gnu::cold]] inline void get_sensor(const Element& e, SpecSensor& s) {
    const SensorKind& kind = sensor_kind(e);
    s.type = kind.type;
    for (int k = 0; k < nsens; ++k) s.intprm[k] = kind.object.intprm[k];
    get_object(e, kind.object.object, s.objname, s.objtype);
    get_object(e, kind.object.reference, s.refname, s.reftype);
    if (e.has("objtype")) s.objtype = object_type(e, "objtype");
    if (e.has("reftype")) s.reftype = object_type(e, "reftype");
    get_places(e, "data", s.intprm[0]);
    get(e, "reduce", s.intprm[1]);
    if (get(e, "num", s.intprm[2]) && s.intprm[2] <= 0) e.fail("attribute 'num' is not positive, expected a number of contacts");
    read_attributes(e, sensor_attributes, s);
    read_attributes(e, user_sensor_attributes, s);
}

// <plugin plugin="mujoco.sensor.touch_grid">
[[gnu::cold]] inline void get_touch_grid(const Reader& r, const Element& e, SpecSensor& s) {
    const Element config = find_instance(r, e, PluginUse::sensor).config;
    Vec<int, 2> size{};
    if (get(config, "nchannel", s.intprm[0]) && s.intprm[0] == 0) s.intprm[0] = 1;
    get(config, "size", size);
    s.intprm[1] = size[0];
    s.intprm[2] = size[1];
    get(config, "fov", s.fov);
    get(config, "gamma", s.gamma);
}

[[gnu::cold]] inline void read_sensors(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        SpecSensor& s = r.spec.sensors.emplace_back();
        r.identify(e, obj::sensor, s);
        get_sensor(e, s);
        if (e.tag == "plugin") get_touch_grid(r, e, s);
    }
}

}  // namespace mjx::inner::mjcf
