// Plugins: of MuJoCo's first-party ones, the signed distance fields are built in and their names are understood. Any other plugin is
// an error that says so.
//
//     <extension> <plugin plugin="mujoco.sdf.torus"> <instance name="ring"> <config key="radius1" value="0.4"/> ...
//     <mesh name="ring"> <plugin instance="ring"/> ...   and   <geom type="sdf" mesh="ring"> <plugin instance="ring"/> ...
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

struct FieldPlugin {
    const char* plugin;
    const char* field;  // the name in the Spec
    const char* keys[5];
    double values[5];  // what MuJoCo takes where none is given
};
inline constexpr FieldPlugin field_plugins[] = {
    {"mujoco.sdf.torus", "torus", {"radius1", "radius2"}, {0.35, 0.15}},
    {"mujoco.sdf.gear", "gear", {"alpha", "diameter", "teeth", "thickness", "innerdiameter"}, {0, 2.8, 25, 0.2, -1}},
    {"mujoco.sdf.bowl", "bowl", {"height", "radius", "thickness"}, {0.4, 1, 0.02}},
    {"mujoco.sdf.bolt", "bolt", {"radius"}, {0.26}},
    {"mujoco.sdf.nut", "nut", {"radius"}, {0.26}},
};

inline const FieldPlugin& find_plugin(const Element& e, const std::string& name) {
    for (const FieldPlugin& p : field_plugins)
        if (name == p.plugin) return p;
    e.fail({"plugin '", name, "' is not supported; of plugins, mujoco.sdf.torus, gear, bowl, bolt and nut are"});
}

// The field that an element with <config> children describes.
inline FieldInstance read_field(const Element& e, const FieldPlugin& plugin) {
    FieldInstance field{plugin.field, {}};
    for (std::size_t i = 0; i < std::size(plugin.keys) && plugin.keys[i]; ++i) field.params.push_back(plugin.values[i]);
    for (const Element& config : e.children) {
        std::size_t i = 0;
        while (i < field.params.size() && config.text("key") != plugin.keys[i]) ++i;
        if (i == field.params.size())
            config.fail({"attribute 'key': plugin '", plugin.plugin, "' has no parameter '", config.text("key"), "'"});
        const auto value = parse_numbers<double>(config.text("value"));
        if (!value || value->size() > 1) config.fail({"attribute 'value' is '", config.text("value"), "', expected a number"});
        if (value->size() == 1) field.params[i] = value->front();
    }
    return field;
}

inline void read_extension(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        const FieldPlugin& plugin = find_plugin(e, e.text("plugin"));
        for (const Element& instance : e.children)
            if (!r.fields.add(instance.text("name"), read_field(instance, plugin)))
                instance.fail({"attribute 'name': repeated name '", instance.text("name"), "'"});
    }
}

// The plugin of a mesh or geom, if it has one: an instance by its name, or described in place.
inline FieldInstance find_field(const Reader& r, const Element& plugin) {
    if (plugin.has("instance")) {
        const FieldInstance* found = r.fields.find(plugin.text("instance"));
        if (!found) plugin.fail({"attribute 'instance': unknown instance '", plugin.text("instance"), "'"});
        return *found;
    }
    return read_field(plugin, find_plugin(plugin, plugin.text("plugin")));
}

template <class Item>
void get_field(const Reader& r, const Element& e, Item& item) {
    if (e.children.empty()) return;
    const FieldInstance field = find_field(r, e.children.front());
    item.sdf = field.name;
    item.sdf_params = field.params;
}

}  // namespace mjx::inner::mjcf
