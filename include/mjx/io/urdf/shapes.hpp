// <collision> and <visual>: the shapes of a link become geoms, mesh files become assets.
//
// A mesh file is one asset per scale it is used with, called after the file. Visual shapes have no mass and touch nothing; one whose mesh
// is missing is left out with a warning. As in MuJoCo a collision shape has the colour of the visual one before it.
#pragma once

#include "mjx/io/mesh.hpp"
#include "mjx/io/mjcf/assets.hpp"
#include "mjx/io/urdf/packages.hpp"

#include <cstdio>

namespace mjx::inner::mjcf {

[[gnu::cold]] inline const Element* urdf_child(const Element& e, std::string_view tag) {
    for (const Element& child : e.children)
        if (child.tag == tag) return &child;
    return nullptr;
}
[[gnu::cold]] inline const Element& urdf_needed(const Element& e, const char* tag) {
    const Element* child = urdf_child(e, tag);
    if (!child) e.fail({"missing element <", tag, ">, expected it in <", e.tag, ">"});
    return *child;
}

// <origin xyz rpy>: rpy turns about the fixed axes x, y, z in this order.
[[gnu::cold]] inline Pose urdf_origin(const Element& e) {
    Pose pose;
    const Element* origin = urdf_child(e, "origin");
    if (!origin) return pose;
    get(*origin, "xyz", pose.pos);
    if (Vec3d rpy; get(*origin, "rpy", rpy)) pose.quat = euler_to_quat(*origin, rpy, {.degree = false, .eulerseq = "XYZ"});
    return pose;
}

[[gnu::cold]] inline void urdf_warn(const Reader& r, const std::string& text) {
    if (r.urdf.on_warning)
        r.urdf.on_warning(text);
    else
        std::fprintf(stderr, "mjx: %s\n", text.c_str());
}

// The file behind the name of a mesh, or why there is none.
[[gnu::cold]] inline Resource urdf_mesh_file(const Reader& r, const Element& e) {
    const std::string name = e.text("filename");
    Resource resource;
    if (const auto found = r.files.strippath ? std::nullopt : find_resource(name, r.urdf.packages, r.files.directory))
        resource = *found;
    else
        resource.file = asset_path(r, e, name);
    return resource;
}

// Whether a visual mesh can be shown; if not, that is said.
[[gnu::cold]] inline bool urdf_can_show(const Reader& r, const Element& e) {
    Resource resource = urdf_mesh_file(r, e);
    if (!resource.file.empty() && !file_exists(resource.file)) resource.trouble = "there is no such file";
    if (resource.trouble.empty()) resource.trouble = unreadable_kind(resource.file, "");
    if (resource.trouble.empty()) return true;
    urdf_warn(r, joined({e.where(), ": '", e.text("filename"), "': ", resource.trouble, "; the visual shape is left out"}));
    return false;
}

[[gnu::cold]] inline std::string urdf_mesh(Reader& r, const Element& e) {
    Vec3d scale{{1, 1, 1}};
    get(e, "scale", scale);
    const Resource resource = urdf_mesh_file(r, e);
    if (resource.file.empty()) e.fail({"attribute 'filename': '", e.text("filename"), "': ", resource.trouble});
    const std::string& file = resource.file;
    for (const SpecMesh& mesh : r.spec.meshes)
        if (mesh.file == file && mesh.scale[0] == scale[0] && mesh.scale[1] == scale[1] && mesh.scale[2] == scale[2]) return mesh.name;
    const std::string stem = std::filesystem::path(e.text("filename")).stem().string();
    std::string name = stem;
    for (int others = 1; r.names.has(obj::mesh, name); ++others) name = stem + std::to_string(others);
    SpecMesh& mesh = r.spec.meshes.emplace_back();
    mesh.name = name;
    mesh.where = e.where();
    mesh.file = file;
    mesh.scale = scale;
    r.names.add(obj::mesh, name);
    return name;
}

[[gnu::cold]] inline void urdf_round(const Element& e, int type, SpecGeom& g) {
    g.type = type;
    get(e, "radius", g.size[0]);
    get(e, "length", g.size[1]);
    g.size[1] /= 2;
}

[[gnu::cold]] inline void urdf_geometry(Reader& r, const Element& e, SpecGeom& g) {
    if (const Element* box = urdf_child(e, "box")) {
        g.type = Box::type;
        get(*box, "size", g.size);
        g.size = g.size * 0.5;
    } else if (const Element* sphere = urdf_child(e, "sphere")) {
        g.type = Sphere::type;
        get(*sphere, "radius", g.size[0]);
    } else if (const Element* mesh = urdf_child(e, "mesh")) {
        g.type = Mesh::type;
        g.mesh = urdf_mesh(r, *mesh);
    } else if (const Element* cylinder = urdf_child(e, "cylinder")) {
        urdf_round(*cylinder, Cylinder::type, g);
    } else if (const Element* capsule = urdf_child(e, "capsule")) {
        urdf_round(*capsule, Capsule::type, g);
    } else {
        e.fail("no shape that is known, expected <box>, <cylinder>, <sphere>, <capsule> or <mesh>");
    }
}

using Colours = Named<Rgba>;  // of materials

// <material name="grey"><color rgba="..."/></material>, or only the name of one that has been described.
[[gnu::cold]] inline void urdf_colour(const Element& e, const Colours& colours, Rgba& rgba) {
    const Element* material = urdf_child(e, "material");
    if (!material) return;
    if (const Element* colour = urdf_child(*material, "color"))
        get(*colour, "rgba", rgba);
    else if (const Rgba* known = colours.find(material->text("name")))
        rgba = *known;
}

[[gnu::cold]] inline void urdf_geom(Reader& r, const Element& e, const Rgba& rgba, SpecBody& body) {
    const bool visual = e.tag == "visual";
    const Element& geometry = urdf_needed(e, "geometry");
    if (const Element* mesh = urdf_child(geometry, "mesh"); visual && mesh && !urdf_can_show(r, *mesh)) return;
    SpecGeom& g = body.geoms.emplace_back();
    g.where = e.where();
    g.rgba = rgba;
    if (const std::string name = e.text("name"); !r.names.has(obj::geom, name)) g.name = name;  // URDF does not ask for unique names
    r.names.add(obj::geom, g.name);
    if (visual) {
        g.contype = g.conaffinity = 0;
        g.group = 1;
        g.density = 0;
    }
    const Pose pose = urdf_origin(e);
    g.pos = pose.pos;
    g.quat = pose.quat;
    urdf_geometry(r, geometry, g);
}

[[gnu::cold]] inline void read_shapes(Reader& r, const Element& link, const Colours& colours, SpecBody& body) {
    Rgba rgba = default_rgba;
    for (const Element& child : link.children) {
        if (child.tag == "visual") urdf_colour(child, colours, rgba);
        if (child.tag == "collision" || (child.tag == "visual" && !r.spec.compiler.discardvisual)) urdf_geom(r, child, rgba, body);
    }
}

}  // namespace mjx::inner::mjcf
