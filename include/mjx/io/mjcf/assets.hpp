// <asset>: meshes and height fields are physics and go into the Spec with the path of their file; textures and
// materials go there for viewers (rays do not see transparent ones), with the paths of their pictures; skins are dropped. Sub-models are
// read by attach.hpp.
#pragma once

#include "mjx/io/mjcf/plugins.hpp"

#include <filesystem>

namespace mjx::inner::mjcf {

// The path of an asset file: relative to a folder, such as <compiler meshdir>, of the main file or, where an included file mentions it and
// it is not there, to that file.
[[gnu::cold]] inline std::string asset_path(const Reader& r, const Element& e, const std::string& name, const std::string& folder) {
    namespace fs = std::filesystem;
    const fs::path file = r.files.strippath ? fs::path(name).filename() : fs::path(name);
    const fs::path main = fs::path(r.files.directory) / folder / file;
    const fs::path own = fs::path(*e.file).parent_path() / file;
    const bool beside = *e.file != r.files.main && !file_exists(main) && file_exists(own);
    return (beside ? own : main).lexically_normal().string();
}

[[gnu::cold]] inline std::string asset_path(const Reader& r, const Element& e, const std::string& name) {
    return asset_path(r, e, name, r.files.meshdir);
}

// An asset without a name is called after its file.
[[gnu::cold]] inline std::string asset_name(const Element& e) {
    const std::string name = e.text("name");
    return name.empty() ? std::filesystem::path(e.text("file")).stem().string() : name;
}

[[gnu::cold]] inline void get_mesh(const Element& e, SpecMesh& m) {
    read_attributes(e, mesh_attributes, m);
    if (get(e, "builtin", m.builtin) && m.builtin == "none") m.builtin.clear();
    if (get(e, "maxhullvert", m.maxhullvert) && m.maxhullvert != -1 && m.maxhullvert < 4)
        e.fail({"attribute 'maxhullvert' is ", std::to_string(m.maxhullvert), ", expected -1 or more than 3"});
    if (m.vert.size() % 3 != 0) e.fail({"attribute 'vertex' has ", std::to_string(m.vert.size()), " numbers, expected a multiple of 3"});
    if (get(e, "texcoord", m.texcoord) && !m.vert.empty() && m.texcoord.size() * 3 != m.vert.size() * 2)
        e.fail({"attribute 'texcoord' has ", std::to_string(m.texcoord.size()), " numbers, expected two for each vertex"});
    if (m.face.size() % 3 != 0) e.fail({"attribute 'face' has ", std::to_string(m.face.size()), " numbers, expected a multiple of 3"});
}

[[gnu::cold]] inline void read_mesh(Reader& r, const Element& e) {
    SpecMesh& m = r.spec.meshes.emplace_back(r.class_of(e).mesh);
    get_mesh(e, m);
    m.name = asset_name(e);
    m.where = e.where();
    r.names.add(obj::mesh, m.name);
    if (e.has("file")) m.file = asset_path(r, e, e.text("file"));
    get_field(r, e, m);
    if (!m.builtin.empty() && m.params.empty()) e.fail("missing attribute 'params', expected it with 'builtin'");
    const int shapes = !m.file.empty() + !m.vert.empty() + !m.builtin.empty();
    if (shapes == 0 && m.sdf.empty()) e.fail("mesh without shape, expected 'file', 'vertex', 'builtin' or a plugin");
    if (shapes > 0 && !m.sdf.empty()) e.fail("mesh with a plugin and a shape of its own, expected one of them");
}

// Elevation is written from the far row (+y) to the near one; the Spec has the rows from -y to +y, as MuJoCo's hfield_data.
[[gnu::cold]] inline void read_hfield(Reader& r, const Element& e) {
    SpecHfield& h = r.spec.hfields.emplace_back();
    h.name = asset_name(e);
    h.where = e.where();
    r.names.add(obj::hfield, h.name);
    get(e, "size", h.size);
    get(e, "content_type", h.content_type);
    if (e.has("file")) {
        h.file = asset_path(r, e, e.text("file"));
        return;
    }
    get(e, "nrow", h.nrow);
    get(e, "ncol", h.ncol);
    if (h.nrow < 1 || h.ncol < 1)
        e.fail(
            {"'nrow' and 'ncol' are ", std::to_string(h.nrow), " and ", std::to_string(h.ncol), ", expected positive numbers or a 'file'"});
    const auto rows = static_cast<std::size_t>(h.nrow), columns = static_cast<std::size_t>(h.ncol);
    List<float> given;
    if (!get(e, "elevation", given)) return;
    if (given.size() != rows * columns)
        e.fail({"attribute 'elevation' has ", std::to_string(given.size()),
                " numbers, expected nrow*ncol = ", std::to_string(rows * columns)});
    h.elevation.resize(given.size());
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) h.elevation[(rows - 1 - i) * columns + j] = given[i * columns + j];
}

[[gnu::cold]] inline void read_pictures(const Reader& r, const Element& e, TextureLook& look) {
    static constexpr const char* sides[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
    for (std::size_t i = 0; i < std::size(sides); ++i)
        if (e.has(sides[i])) look.files[i] = asset_path(r, e, e.text(sides[i]), r.files.texturedir);
    if (e.has("file")) look.files = {asset_path(r, e, e.text("file"), r.files.texturedir)};
    get(e, "gridsize", look.gridsize);
    get(e, "gridlayout", look.gridlayout);
    get(e, "hflip", look.hflip);
    get(e, "vflip", look.vflip);
}

[[gnu::cold]] inline void read_texture(Reader& r, const Element& e) {
    std::string name = asset_name(e);
    int width = 0;
    get(e, "width", width);
    if (e.has("builtin") && e.text("builtin") != "none" && width < 1)
        e.fail("attribute 'width' of the builtin texture is not positive, expected a number of pixels");
    const bool sky = name.empty() && e.text("type") == "skybox";
    if (name.empty() && !sky) e.fail("missing attribute 'name', expected it in <texture>");
    if (!sky && !r.textures.add(name)) e.fail({"repeated name '", name, "', expected a name no other texture has"});
    SpecTexture& t = r.spec.textures.emplace_back();
    t.name = std::move(name);
    t.where = e.where();
    read_attributes(e, texture_attributes, t);
    read_pictures(r, e, t.look);
    get(e, "random", t.look.random);
    t.look.pixels[0] = t.look.pixels[1] = width;
    get(e, "height", t.look.pixels[1]);
}

[[gnu::cold]] inline void get_material(const Element& e, SpecMaterial& m) {
    read_attributes(e, material_attributes, m);
    for (const Element& layer : e.children)
        if (const std::string role = layer.text("role"); role == "rgb" || role == "rgba") get(layer, "texture", m.texture);
}

// The textures a material names are all in r.textures when materials are read.
[[gnu::cold]] inline void read_material(Reader& r, const Element& e) {
    SpecMaterial& m = r.spec.materials.emplace_back(r.class_of(e).material);
    get_material(e, m);
    m.name = e.text("name");
    m.where = e.where();
    if (m.name.empty()) e.fail("missing attribute 'name', expected it in <material>");
    if (e.has("texture") && !e.children.empty()) e.fail("conflicting contents, expected 'texture' or <layer> elements");
    const auto check = [&](const Element& user) {
        if (const std::string texture = user.text("texture"); !texture.empty() && !r.textures.contains(texture))
            user.fail({"attribute 'texture': unknown texture '", texture, "'"});
    };
    check(e);
    for (const Element& layer : e.children) check(layer);
}

}  // namespace mjx::inner::mjcf
