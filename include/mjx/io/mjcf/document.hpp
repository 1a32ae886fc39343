// A whole model file, MJCF or URDF by its root: the passes it goes through and the order of its sections. A model may contain others,
// as assets.
#pragma once

#include "mjx/io/mjcf/bodies.hpp"
#include "mjx/io/mjcf/custom.hpp"
#include "mjx/io/mjcf/defaults.hpp"
#include "mjx/io/mjcf/include.hpp"
#include "mjx/io/mjcf/options.hpp"
#include "mjx/io/mjcf/sensors.hpp"
#include "mjx/io/mjcf/unique.hpp"
#include "mjx/io/mjcf/user_sizes.hpp"
#include "mjx/io/urdf/robot.hpp"

namespace mjx::inner::mjcf {

inline void read_model(Reader&, const Element&);

// Where a text comes from: what messages call it, where its assets are, and its file if it has one.
struct Origin {
    std::string name, directory, file;
};

// What mjx does not have is named before anything else that may be wrong with the file.
[[gnu::cold]] inline void refuse_unsupported(const Element& e) {
    for (const char* tag : {"flexcomp", "flex", "flexvert", "flexstrain"})
        if (e.tag == tag) e.fail({"<", tag, "> is not supported: there are no flexible bodies"});
    for (const Element& child : e.children) refuse_unsupported(child);
}

// Reads a whole model, whose root may be prescribed. `chain` holds the files being read, from the outermost, to notice a model that
// contains itself.
[[gnu::cold]] inline void read_document(Reader& reader, std::string_view text, const Origin& origin, const char* expected = nullptr,
                                        const List<std::string>& chain = {}) {
    const std::unique_ptr<Element> root = parse_xml(text, origin.name, *reader.account);
    if (expected && root->tag != expected) root->fail({"the root is <", root->tag, ">, expected <", expected, ">"});
    reader.spec.files = expand_includes(*root, origin.directory, origin.file, *reader.account);
    if (root->tag == "mujoco") refuse_unsupported(*root);
    check_schema(*root);
    reader.files.main = origin.name;
    reader.files.directory = origin.directory;
    reader.model_chain = chain;
    if (!origin.file.empty()) reader.model_chain.push_back(canonical_name(origin.file));
    if (root->tag == "robot")
        read_robot(reader, *root);
    else
        read_model(reader, *root);
    finish_keys(reader);
    check_unique_names(reader.spec);
}

[[gnu::cold]] inline void read_child_model(Reader& r, const Element& e) {
    constexpr std::size_t most_nested = 8;
    const std::string file = e.text("file");
    fs::path path = fs::path(r.files.directory) / file;
    if (!file_exists(path)) path = fs::path(*e.file).parent_path() / file;
    path = model_file(path.string());
    const List<std::string>& chain = r.model_chain;
    if (std::find(chain.begin(), chain.end(), canonical_name(path)) != chain.end()) e.fail({"model '", file, "' contains itself"});
    if (chain.size() >= most_nested) e.fail({"models nested deeper than ", std::to_string(most_nested)});
    ChildModel& child = r.child_models.emplace_back();
    child.reader.account = r.account;
    const std::string text = read_text_file(path.string(), *r.account);
    read_document(child.reader, text, {path.string(), path.parent_path().string(), path.string()}, nullptr, chain);
    settle_limits(child.spec);
    for (const std::string& read : child.spec.files) r.spec.files.push_back(read);
    const std::string name = e.has("name") ? e.text("name") : child.spec.name;
    if (!r.models.add(name, &child)) e.fail({"repeated name '", name, "', expected a name no other model has"});
}

[[gnu::cold]] inline void read_assets(Reader& r, const Element& section) {
    for (const Element& e : section.children)
        if (e.tag == "texture") read_texture(r, e);
    for (const Element& e : section.children) {
        if (e.tag == "mesh")
            read_mesh(r, e);
        else if (e.tag == "hfield")
            read_hfield(r, e);
        else if (e.tag == "model")
            read_child_model(r, e);
        else if (e.tag == "material")
            read_material(r, e);
    }
}

inline void read_deformable(Reader&, const Element&) {}  // skins are only seen

[[gnu::cold]] inline void read_model(Reader& r, const Element& root) {
    struct Section {
        const char* tag;
        void (*read)(Reader&, const Element&);
    };
    static constexpr Section sections[] = {
        {"compiler", read_compiler},
        {"option", read_option},
        {"size", read_size},
        {"statistic", read_statistic},
        {"visual", read_visual},
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
    check_user_sizes(root);
    get(root, "model", r.spec.name);
    r.spec.where = root.where();
    r.spec.world.name = "world";
    r.names.add(obj::body, "world");
    for (const Section& section : sections)
        for (const Element& e : root.children)
            if (e.tag == section.tag) section.read(r, e);
}

[[gnu::cold, gnu::noinline]] inline Spec read_spec(std::string_view text, const Origin& origin, const UrdfOptions& urdf,
                                                   const Budget& budget, const char* root = nullptr) {
    Spec spec;
    spec.budget = budget;
    Account account{budget};
    Reader reader{.spec = spec, .account = &account, .urdf = urdf};
    try {
        read_document(reader, text, origin, root);
    } catch (const std::bad_alloc&) {
        throw_model_error({origin.name, ": not enough memory to read the model"});
    }
    return spec;
}

}  // namespace mjx::inner::mjcf
