// read_robot: a robot in URDF into the same Spec as MJCF, by MuJoCo's rules ("URDF extensions" in its modeling chapter).
//
// Links become bodies in depth-first order, children in the order of their joints; the root hangs on the world, or is the world if it
// is called so. Visual shapes are kept when UrdfOptions or <mujoco><compiler discardvisual="false"/> asks for them. What MuJoCo does not
// have (packages, repairs, a floating base, motors) is in UrdfOptions.
#pragma once

#include "mjx/io/mjcf/include.hpp"
#include "mjx/io/mjcf/options.hpp"
#include "mjx/io/urdf/inertial.hpp"
#include "mjx/io/urdf/joints.hpp"

namespace mjx::inner::mjcf {

// A link, the joint it hangs on and the links that hang on it.
struct UrdfLink {
    const Element* element = nullptr;
    const Element* joint = nullptr;
    const UrdfLink* parent = nullptr;
    List<const UrdfLink*> children{};

    std::string name() const { return element->text("name"); }
    bool moves() const { return joint && joint->text("type") != "fixed"; }
};

using UrdfLinks = SpecList<UrdfLink>;  // in the order of the file

[[gnu::cold]] inline UrdfLinks urdf_tree(const Element& root) {
    UrdfLinks links;
    Named<UrdfLink*> by_name;
    for (const Element& e : root.children) {
        if (e.tag.starts_with("xacro:")) e.fail("xacro is a macro language, expected URDF as it comes out of the xacro command");
        if (e.tag != "link") continue;
        UrdfLink& link = links.emplace_back();
        link.element = &e;
        if (!by_name.add(link.name(), &link)) e.fail({"repeated name '", link.name(), "', expected a name no other link has"});
    }
    for (const Element& e : root.children) {
        if (e.tag != "joint") continue;
        const auto find = [&](const char* tag) {
            const Element& reference = urdf_needed(e, tag);
            UrdfLink* const* found = by_name.find(reference.text("link"));
            if (!found) reference.fail({"unknown link '", reference.text("link"), "', expected a <link> of this robot"});
            return *found;
        };
        UrdfLink* parent = find("parent");
        UrdfLink* child = find("child");
        if (child->joint) e.fail({"link '", child->name(), "' is the child of two joints, expected one"});
        child->joint = &e;
        child->parent = parent;
        parent->children.push_back(child);
    }
    return links;
}

// Whether floating_base frees this link: a root, or what is fixed to a root that is the world.
[[gnu::cold]] inline bool is_base(const UrdfLink& link) {
    if (!link.parent) return link.name() != "world";
    return link.parent->name() == "world" && link.joint->text("type") == "fixed";
}

// Whether a link, or one that is fixed to it, has mass.
[[gnu::cold]] inline bool weighs(const UrdfLink& link, int depth = 0) {
    if (link_weighs(*link.element)) return true;
    if (depth > max_joined_depth) return false;
    return std::any_of(link.children.begin(), link.children.end(),
                       [&](const UrdfLink* child) { return !child->moves() && weighs(*child, depth + 1); });
}

// A link and all that hangs on it; gives how many links these are.
[[gnu::cold]] inline std::size_t urdf_branch(Reader& r, const UrdfLink& link, const Colours& colours, SpecBody& parent, int depth) {
    const Element& e = *link.element;
    if (depth > max_joined_depth) e.fail({"links chained longer than ", std::to_string(max_joined_depth)});
    const bool world = link.name() == "world";
    if (world && link.joint) e.fail("link 'world' hangs on a joint, expected it to be the root");
    SpecBody& body = world ? r.spec.world : parent.bodies.emplace_back();
    if (!world) {
        const bool floats = r.urdf.floating_base && is_base(link);
        r.identify(e, obj::body, body);
        read_inertial(r, e, (floats || link.moves()) && !weighs(link), body);
        if (floats) add_free_joint(r, e, body);
    }
    read_shapes(r, e, colours, body);
    if (link.joint) {
        const Pose pose = urdf_origin(*link.joint);
        body.pos = pose.pos;
        body.quat = pose.quat;
        read_joint(r, *link.joint, body);
        r.local_poses.add(body.name, pose);
    }
    std::size_t reached = 1;
    for (const UrdfLink* child : link.children) reached += urdf_branch(r, *child, colours, body, depth + 1);
    return reached;
}

[[gnu::cold]] inline void read_mujoco_of_robot(Reader& r, const Element& e) {
    if (int planar = 0; get(e, "planar", planar)) r.planar_joints = planar == 1;
    if (const Element* section = urdf_child(e, "compiler")) read_compiler(r, *section);
    if (const Element* section = urdf_child(e, "option")) read_option(r, *section);
    if (const Element* section = urdf_child(e, "size")) read_size(r, *section);
}

[[gnu::cold]] inline void read_robot(Reader& r, const Element& root) {
    r.spec.compiler.fusestatic = true;
    r.spec.compiler.discardvisual = true;
    if (const Element* own = urdf_child(root, "mujoco")) read_mujoco_of_robot(r, *own);
    if (r.urdf.keep_links) r.spec.compiler.fusestatic = false;
    if (r.urdf.visuals) r.spec.compiler.discardvisual = false;
    r.angles.degree = false;
    get(root, "name", r.spec.name);
    r.spec.where = root.where();
    r.spec.world.name = "world";
    r.names.add(obj::body, "world");

    Colours colours;
    for (const Element& e : root.children)
        if (const Element* colour = e.tag == "material" ? urdf_child(e, "color") : nullptr)
            if (Rgba rgba; get(*colour, "rgba", rgba)) colours.add(e.text("name"), rgba);
    const UrdfLinks links = urdf_tree(root);
    std::size_t reached = 0;
    for (const UrdfLink& link : links)
        if (!link.joint) reached += urdf_branch(r, link, colours, r.spec.world, 1);
    if (reached != links.size()) root.fail("links hang on each other in a loop, expected a tree");
    if (r.urdf.actuators) read_actuators_of_robot(r, root);
}

}  // namespace mjx::inner::mjcf
