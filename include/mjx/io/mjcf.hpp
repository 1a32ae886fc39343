// parse_mjcf_file and parse_mjcf_string: an MJCF model, as MuJoCo 3.12 understands it, into a Spec.
//
// The text goes through four passes: parse_xml (well-formed?), expand_includes (one tree), check_schema (only what MJCF knows, every
// value readable), and the sections below in MuJoCo's order, which lets any section refer to what an earlier pass has read. What mjx
// does not simulate is an error; what only concerns pictures is checked against the schema and dropped.
#pragma once

#include "mjx/io/mjcf/attach.hpp"
#include "mjx/io/mjcf/custom.hpp"
#include "mjx/io/mjcf/defaults.hpp"
#include "mjx/io/mjcf/options.hpp"
#include "mjx/io/mjcf/replicate.hpp"
#include "mjx/io/mjcf/sensors.hpp"

namespace mjx {

namespace mjcf {

inline void read_assets(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        if (e.tag == "mesh") read_mesh(r, e);
        else if (e.tag == "hfield") read_hfield(r, e);
        else if (e.tag == "model") read_child_model(r, e);
    }
}

inline void read_deformable(Reader&, const Element& section) {
    for (const Element& e : section.children)
        if (e.tag == "flex") e.fail("flexible bodies are not supported");
}

inline void read_extension(Reader&, const Element& section) {
    for (const Element& e : section.children) e.fail("plugin '" + e.text("plugin") + "': plugins are not supported");
}

inline void read_model(Reader& r, const Element& root) {
    struct Section { const char* tag; void (*read)(Reader&, const Element&); };
    static constexpr Section sections[] = {
        {"compiler", read_compiler},
        {"option", read_option},
        {"size", read_size},
        {"statistic", read_statistic},
        {"default", [](Reader& reader, const Element& e) { read_default(reader, e, nullptr); }},
        {"extension", read_extension},
        {"custom", read_custom},
        {"asset", read_assets},
        {"contact", read_contact},
        {"deformable", read_deformable},
        {"equality", read_equality},
        {"tendon", read_tendons},
        {"actuator", read_actuators},
        {"sensor", read_sensors},
        {"keyframe", read_keyframe},
        {"worldbody", read_worldbody},
    };
    get(root, "model", r.spec.name);
    r.spec.where = root.where();
    r.spec.world.name = "world";
    r.names.add(obj::body, "world");
    for (const Section& section : sections)
        for (const Element& e : root.children)
            if (e.tag == section.tag) section.read(r, e);
}

}  // namespace mjcf

// Reads a model file. Included files and assets are found relative to it.
inline Spec parse_mjcf_file(const std::string& path) {
    return mjcf::read_document(read_text_file(path), path, std::filesystem::path(path).parent_path().string(), path).spec;
}

// Reads a model from text. Messages call it `name`; included files and assets are found relative to `directory`.
inline Spec parse_mjcf_string(std::string_view text, const std::string& name = "<string>", const std::string& directory = "") {
    return mjcf::read_document(text, name, directory, "").spec;
}

}  // namespace mjx
