// write_spec: a whole Spec as a document of MJCF, and documents as text.
#pragma once

#include "mjx/io/mjcf/keys.hpp"
#include "mjx/io/mjcf/write_elements.hpp"

#include <filesystem>
#include <iterator>

namespace mjx::inner::mjcf {

// ------------------------------------------------------------------------------------------- the sections

// Removes what says nothing.
inline void prune(Element& e) {
    for (auto child = e.children.begin(); child != e.children.end();)
        child = child->attributes.empty() && child->children.empty() ? e.children.erase(child) : std::next(child);
}

inline void write_compiler(Element& root, const SpecCompiler& c) {
    Element& e = add_element(root, "compiler");
    put(e, "angle", "radian");
    put_attributes(e, compiler_attributes, c, SpecCompiler{});
    Element& lengthrange = add_element(e, "lengthrange");
    put_attributes(lengthrange, lengthrange_attributes, c, SpecCompiler{});
    prune(e);
}

inline void write_option(Element& root, const Option<double>& o) {
    Element& e = add_element(root, "option");
    put_attributes(e, option_attributes, o, Option<double>{});
    // a choice that somebody made is said even where it is the default (model/overrides.hpp)
    const auto choose = [&](int bit, const char* name, const char* const* words, int value) {
        if ((o.chosen & bit) && !e.has(name)) put(e, name, words[value]);
    };
    choose(choice::integrator, "integrator", integrator_names, o.integrator);
    choose(choice::solver, "solver", solver_names, o.solver);
    choose(choice::cone, "cone", cone_names, o.cone);
    std::string groups;
    for (int group = 0; group <= 30; ++group)
        if (o.disableactuator >> group & 1) append_number(groups, group);
    put(e, "actuatorgroupdisable", groups);
    Element& flags = add_element(e, "flag");
    for (const Flag& flag : disabling_flags)
        if (o.disableflags & flag.bit) put(flags, flag.name, "disable");
    for (const Flag& flag : enabling_flags)
        if (o.enableflags & flag.bit) put(flags, flag.name, "enable");
    prune(e);
}

inline void write_visual(Element& root, const ViewLook& view) {
    Element& e = add_element(root, "visual");
    Element& headlight = add_element(e, "headlight");
    put_attributes(headlight, headlight_attributes, view, ViewLook{});
    if (!view.headlight) put(headlight, "active", "0");
    put_attributes(add_element(e, "global"), global_attributes, view, ViewLook{});
    prune(e);
}

// MuJoCo wants every plugin announced. Cables have instances, which their bodies share.
inline void write_extension(Element& root, const Spec& spec) {
    Element& e = add_element(root, "extension");
    NameMap used;  // fields by their names in the Spec, other plugins by their own
    List<const SpecCable*> cables;
    NameMap chains;  // where in the list each is
    for (const SpecMesh& m : spec.meshes) used.add(m.sdf);
    for_each_body(spec.world, [&](const SpecBody& b) {
        for (const SpecGeom& g : b.geoms) used.add(g.sdf);
        if (b.cable) used.add("mujoco.elasticity.cable");
        if (b.cable && !b.cable->chain.empty() && chains.add(b.cable->chain, static_cast<int>(cables.size()))) cables.push_back(&*b.cable);
    });
    for (const SpecActuator& a : spec.actuators)
        if (a.gaintype == gain::controller) used.add("mujoco.pid");
    for (const SpecSensor& s : spec.sensors)
        if (const SensorKind* kind = find_sensor_kind(s.type); kind && kind->plugin) used.add(kind->plugin);
    for (const PluginKind& kind : plugin_kinds) {
        if (!used.contains(kind.field ? kind.field : kind.name)) continue;
        Element& plugin = add_element(e, "plugin");
        put(plugin, "plugin", kind.name);
        if (kind.use != PluginUse::passive) continue;
        for (const auto& [chain, place] : chains) {
            Element& instance = add_element(plugin, "instance");
            put(instance, "name", chain);
            put_cable(instance, *cables[place]);
        }
    }
}

inline void write_custom(Element& root, const Spec& spec) {
    Element& section = add_element(root, "custom");
    for (const SpecNumeric& n : spec.numerics) {
        Element& e = add_element(section, "numeric");
        put(e, "name", n.name);
        put(e, "data", items_text(n.data.data(), n.data.size()));
    }
    for (const SpecText& t : spec.texts) {
        Element& e = add_element(section, "text");
        put(e, "name", t.name);
        put(e, "data", t.data);
    }
    for (const SpecTuple& t : spec.tuples) {
        Element& e = add_element(section, "tuple");
        put(e, "name", t.name);
        for (const SpecTuple::Entry& entry : t.entries) {
            Element& item = add_element(e, "element");
            put(item, "objtype", Reader::kind_name(entry.objtype));
            put(item, "objname", entry.objname);
            put_number(item, "prm", entry.prm);
        }
    }
}

// The name of a file as seen from the folder that the model is written to.
inline std::string file_text(const std::string& file, const std::string& directory) {
    namespace fs = std::filesystem;
    if (file.empty() || directory.empty()) return file;
    std::error_code error;
    const fs::path relative =
        fs::absolute(file, error).lexically_normal().lexically_relative(fs::absolute(directory, error).lexically_normal());
    return relative.empty() ? file : relative.generic_string();
}

inline void write_mesh(Element& section, const SpecMesh& m, const std::string& directory) {
    Element& e = add_element(section, "mesh");
    put(e, "name", m.name);
    put(e, "file", file_text(m.file, directory));
    put(e, "builtin", m.builtin);
    put_attributes(e, mesh_attributes, m, SpecMesh{});
    if (m.maxhullvert != -1) put_number(e, "maxhullvert", m.maxhullvert);
    put_field(e, m.where, m.sdf, m.sdf_params);
}

inline void write_hfield(Element& section, const SpecHfield& h, const std::string& directory) {
    Element& e = add_element(section, "hfield");
    put(e, "name", h.name);
    put(e, "content_type", h.content_type);
    put(e, "size", items_text(h.size.e, 4));
    put(e, "file", file_text(h.file, directory));
    if (!h.file.empty()) return;
    put_number(e, "nrow", h.nrow);
    put_number(e, "ncol", h.ncol);
    if (h.elevation.empty()) return;  // flat
    std::string elevation;  // from the far row to the near one
    for (int row = h.nrow; row-- > 0;)
        for (int column = 0; column < h.ncol; ++column)
            append_number(elevation, h.elevation[static_cast<std::size_t>(row * h.ncol + column)]);
    put(e, "elevation", elevation);
}

inline void write_assets(Element& root, const Spec& spec, const std::string& directory) {
    Element& section = add_element(root, "asset");
    NameMap textures;
    for (const SpecTexture& t : spec.textures) {
        if (t.look.builtin == texture_builtin::none) continue;  // a picture, which the Spec does not have
        Element& e = add_element(section, "texture");
        put(e, "name", t.name);
        put_attributes(e, texture_attributes, t, SpecTexture{});
        put(e, "width", "256");  // how fine it is does not matter here
        put(e, "height", t.look.type == texture_type::flat ? "256" : "1536");
        textures.add(t.name);
    }
    for (SpecMaterial m : spec.materials) {
        if (!textures.contains(m.texture)) m.texture.clear();
        Element& e = add_element(section, "material");
        put(e, "name", m.name);
        put_attributes(e, material_attributes, m, SpecMaterial{});
    }
    for (const SpecMesh& m : spec.meshes) write_mesh(section, m, directory);
    for (const SpecHfield& h : spec.hfields) write_hfield(section, h, directory);
}

inline void write_contact(Element& root, const Spec& spec, const Defaults& standard) {
    Element& section = add_element(root, "contact");
    for (const SpecPair& p : spec.pairs) {
        if (!p.condim || !p.solref || !p.solreffriction || !p.solimp || !p.margin || !p.gap || !p.adhesion || !p.friction)
            cannot_write(p.where, p.name, "pairs that leave parameters to their geoms");
        Element& e = add_element(section, "pair");
        put(e, "name", p.name);
        put_attributes(e, pair_attributes, p, standard.pair);
    }
    for (const SpecExclude& x : spec.excludes) {
        Element& e = add_element(section, "exclude");
        put(e, "name", x.name);
        put(e, "body1", x.body1);
        put(e, "body2", x.body2);
    }
}

// A number that a keyframe leaves to the model is written as the one the model has there.
inline void write_key(Element& section, SpecKey key, const Spec& spec) {
    List<double> qpos, mpos, mquat;
    for_each_body(spec.world, [&](const SpecBody& b) {
        for (const SpecJoint& j : b.joints) {
            const JointKind& kind = all_joints::kind(j.type);
            const std::size_t before = qpos.size();
            qpos.resize(before + static_cast<std::size_t>(kind.nq));
            kind.rest(b.pos, b.quat, j.ref, &qpos[before]);
        }
        if (!b.mocap) return;
        mpos.append(b.pos.e, b.pos.e + 3);
        mquat.append(b.quat.e, b.quat.e + 4);
    });
    const auto fill = [](List<double>& given, const List<double>& rest) {
        for (std::size_t i = 0; i < given.size() && i < rest.size(); ++i)
            if (std::isnan(given[i])) given[i] = rest[i];
    };
    fill(key.qpos, qpos);
    fill(key.mpos, mpos);
    fill(key.mquat, mquat);
    Element& e = add_element(section, "key");
    put(e, "name", key.name);
    put_attributes(e, key_attributes, key, SpecKey{});
}

// Bodies of an attached model follow its compiler, for which one file has no words.
inline void check_compilers(const Spec& spec) {
    const auto text = [](const SpecCompiler& c) {
        Element e;
        put_attributes(e, compiler_attributes, c, SpecCompiler{});
        std::string all;
        for (const auto& [name, value] : e.attributes)
            if (name != "fusestatic" && name != "discardvisual" && name != "settotalmass") all += name + value;
        return all;
    };
    for_each_body(spec.world, [&](const SpecBody& b) {
        if (b.compiler && text(*b.compiler) != text(spec.compiler))
            cannot_write(b.where, b.name, "bodies with <compiler> settings of their own");
    });
}

inline std::unique_ptr<Element> write_spec(const Spec& spec, const std::string& directory) {
    auto root = std::make_unique<Element>();
    const Defaults standard;
    check_compilers(spec);
    root->tag = "mujoco";
    put(*root, "model", spec.name);
    write_compiler(*root, spec.compiler);
    write_option(*root, spec.option);
    put_attributes(add_element(*root, "size"), size_attributes, spec, Spec{});
    put_attributes(add_element(*root, "statistic"), statistic_attributes, spec.statistic, SpecStatistic{});
    write_visual(*root, spec.view);
    write_extension(*root, spec);
    write_custom(*root, spec);
    write_assets(*root, spec, directory);
    write_contents(add_element(*root, "worldbody"), spec.world, 0);
    write_contact(*root, spec, standard);
    const auto write_all = [&](const char* tag, const auto& items, const auto& write) {
        Element& section = add_element(*root, tag);
        for (const auto& item : items) write(section, item);
    };
    write_all("equality", spec.equalities, [&](Element& e, const SpecEquality& q) { write_equality(e, q, standard); });
    write_all("tendon", spec.tendons, [&](Element& e, const SpecTendon& t) { write_tendon(e, t, standard); });
    write_all("actuator", spec.actuators, write_actuator);
    write_all("sensor", spec.sensors, write_sensor);
    write_all("keyframe", spec.keys, [&](Element& e, const SpecKey& k) { write_key(e, k, spec); });
    prune(*root);
    return root;
}

// ------------------------------------------------------------------------------------------- text

inline void append_escaped(std::string& text, const std::string& value) {
    for (const char c : value) {
        switch (c) {
            case '&': text += "&amp;"; break;
            case '<': text += "&lt;"; break;
            case '>': text += "&gt;"; break;
            case '"': text += "&quot;"; break;
            case '\n': text += "&#10;"; break;
            case '\t': text += "&#9;"; break;
            default: text += c;
        }
    }
}

inline void append_xml(std::string& text, const Element& e, int depth) {
    text.append(static_cast<std::size_t>(2 * depth), ' ');
    text += "<" + e.tag;
    for (const auto& [name, value] : e.attributes) {
        text += " " + name + "=\"";
        append_escaped(text, value);
        text += '"';
    }
    text += e.children.empty() ? "/>\n" : ">\n";
    for (const Element& child : e.children) append_xml(text, child, depth + 1);
    if (!e.children.empty()) text += std::string(static_cast<std::size_t>(2 * depth), ' ') + "</" + e.tag + ">\n";
}

}  // namespace mjx::inner::mjcf
