// Plugins: MuJoCo's first-party ones are built in, each as a kind of what it gives, and their names are understood. Any other plugin is
// an error that says so. The parameters of each stand in schema_table.hpp, under its name.
//
//     <extension> <plugin plugin="mujoco.sdf.torus"> <instance name="ring"> <config key="radius1" value="0.4"/> ...
//     <mesh name="ring"> <plugin instance="ring"/> ...   and   <geom type="sdf" mesh="ring"> <plugin instance="ring"/> ...
//     <actuator> <plugin joint="knee" plugin="mujoco.pid"> <config key="kp" value="40"/> ...
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

enum class PluginUse { field, actuator, sensor, passive };

struct PluginKind {
    const char* name;
    PluginUse use;
    const char* field = nullptr;  // of signed distance fields: the name in the Spec
    double values[5]{};  // and what MuJoCo takes for parameters that are not given
};
inline constexpr PluginKind plugin_kinds[] = {
    {"mujoco.sdf.torus", PluginUse::field, "torus", {0.35, 0.15}},
    {"mujoco.sdf.gear", PluginUse::field, "gear", {0, 2.8, 25, 0.2, -1}},
    {"mujoco.sdf.bowl", PluginUse::field, "bowl", {0.4, 1, 0.02}},
    {"mujoco.sdf.bolt", PluginUse::field, "bolt", {0.26}},
    {"mujoco.sdf.nut", PluginUse::field, "nut", {0.26}},
    {"mujoco.pid", PluginUse::actuator},
    {"mujoco.sensor.touch_grid", PluginUse::sensor},
    {"mujoco.elasticity.cable", PluginUse::passive},
};

[[gnu::cold]] inline const PluginKind& find_plugin(const Element& e, const std::string& name) {
    List<std::string_view> known;
    for (const PluginKind& kind : plugin_kinds) {
        if (name == kind.name) return kind;
        known.push_back(kind.name);
    }
    e.fail({"plugin '", name, "' is not supported, expected one of ", quoted_list(known)});
}

// An element with <config> children becomes one that has their values as attributes, checked like any other.
[[gnu::cold]] inline PluginInstance read_plugin(const Element& e, const PluginKind& kind) {
    PluginInstance instance{&kind, {}};
    Element& config = instance.config;
    config.tag = e.tag;
    config.parent = e.parent;
    config.file = e.file;
    config.line = e.line;
    config.rule = &schema_rule(kind.name);
    for (const Element& item : e.children) {
        const std::string key = item.text("key"), value = item.text("value");
        const AttributeRule* const rule = config.rule->attribute(key);
        if (!rule) {
            List<std::string_view> keys;
            for (const AttributeRule& known : config.rule->attributes) keys.push_back(known.name);
            item.fail({"attribute 'key': plugin '", kind.name, "' has no parameter '", key, "', expected one of ", quoted_list(keys)});
        }
        if (config.has(key)) item.fail({"attribute 'key': repeated parameter '", key, "'"});
        if (value.find_first_not_of(white_space) == std::string::npos) continue;
        if (rule->is_number()) check_numbers(item, *rule, value);
        if (rule->is_keyword()) check_keywords(item, *rule, value);
        config.attributes.emplace_back(key, value);
    }
    for (const AttributeRule& rule : config.rule->attributes)
        if (rule.required && !config.has(rule.name))
            e.fail({"missing <config key=\"", rule.name, "\">, which plugin '", kind.name, "' needs"});
    return instance;
}

[[gnu::cold]] inline void read_extension(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        const PluginKind& kind = find_plugin(e, e.text("plugin"));
        for (const Element& instance : e.children)
            if (!r.plugins.add(instance.text("name"), read_plugin(instance, kind)))
                instance.fail({"attribute 'name': repeated name '", instance.text("name"), "'"});
    }
}

// The plugin that an element names, for a use: an instance by its name, or described in place.
[[gnu::cold]] inline PluginInstance find_instance(const Reader& r, const Element& plugin, PluginUse use) {
    PluginInstance instance;
    if (plugin.has("instance")) {
        const PluginInstance* found = r.plugins.find(plugin.text("instance"));
        if (!found) plugin.fail({"attribute 'instance': unknown instance '", plugin.text("instance"), "'"});
        instance = *found;
    } else {
        instance = read_plugin(plugin, find_plugin(plugin, plugin.text("plugin")));
    }
    constexpr const char* gives[] = {"signed distance field", "actuator", "sensor", "passive force"};
    if (instance.kind->use != use)
        plugin.fail({"plugin '", instance.kind->name, "' is no ", gives[static_cast<int>(use)], ", expected one that is"});
    return instance;
}

// The elasticity of a body: bodies with one instance are one cable, and an instance described in place is the body's alone.
[[gnu::cold]] inline SpecCable get_cable(const Reader& r, const Element& plugin) {
    const Element config = find_instance(r, plugin, PluginUse::passive).config;
    SpecCable cable{.chain = plugin.text("instance")};
    get(config, "twist", cable.twist);
    get(config, "bend", cable.bend);
    get(config, "flat", cable.flat);
    get(config, "vmax", cable.vmax);
    return cable;
}

// The field of a mesh or geom that has a plugin.
template <class Item>
void get_field(const Reader& r, const Element& e, Item& item) {
    if (e.children.empty()) return;
    const PluginInstance instance = find_instance(r, e.children.front(), PluginUse::field);
    const List<AttributeRule>& keys = instance.config.rule->attributes;
    item.sdf = instance.kind->field;
    item.sdf_params.assign(instance.kind->values, instance.kind->values + keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) get(instance.config, keys[i].name, item.sdf_params[i]);
}

}  // namespace mjx::inner::mjcf
