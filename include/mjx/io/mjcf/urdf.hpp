// read_robot: a robot in URDF into the same Spec as MJCF, by MuJoCo's rules ("URDF extensions" in its modeling chapter).
//
// Links become bodies in depth-first order, children in the order of their joints; the root hangs on the world, or is the world if it
// is called so. A planar joint becomes two slides and a hinge (_TX, _TY, _RZ) as in MuJoCo, or one Planar joint when the file says
// <mujoco planar="joint"/>; a fixed one becomes nothing, a `spherical` one a ball. Collision shapes become geoms; visual ones too when
// <mujoco><compiler discardvisual="false"/> asks for them. `effort` bounds the actuator force.
//
// Two things to know. As in MuJoCo 3.12 the rpy of <inertial> is not applied to an inertia tensor that is given: it is read as in the axes
// of the link. And <mimic>, which MuJoCo passes over, becomes a joint equality.
#pragma once

#include "mjx/io/mjcf/assets.hpp"
#include "mjx/io/mjcf/include.hpp"
#include "mjx/io/mjcf/options.hpp"

namespace mjx::inner::mjcf {

inline const Element* urdf_child(const Element& e, std::string_view tag) {
    for (const Element& child : e.children)
        if (child.tag == tag) return &child;
    return nullptr;
}
inline const Element& urdf_needed(const Element& e, const char* tag) {
    const Element* child = urdf_child(e, tag);
    if (!child) e.fail({"missing element <", tag, ">, expected it in <", e.tag, ">"});
    return *child;
}

// <origin xyz rpy>: rpy turns about the fixed axes x, y, z in this order.
inline Pose urdf_origin(const Element& e) {
    Pose pose;
    const Element* origin = urdf_child(e, "origin");
    if (!origin) return pose;
    get(*origin, "xyz", pose.pos);
    if (Vec3d rpy; get(*origin, "rpy", rpy)) pose.quat = euler_to_quat(*origin, rpy, {.degree = false, .eulerseq = "XYZ"});
    return pose;
}

inline SpecInertial urdf_inertial(const Element& e) {
    SpecInertial inertial;
    const Pose pose = urdf_origin(e);
    inertial.pos = pose.pos;
    inertial.quat = pose.quat;
    get(urdf_needed(e, "mass"), "value", inertial.mass);
    const Element& tensor = urdf_needed(e, "inertia");
    static constexpr const char* names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    Vec6<double> full{};
    bool given = false;
    for (int i = 0; i < 6; ++i) {
        get(tensor, names[i], full[i]);
        given |= full[i] != 0;
    }
    if (given) inertial.fullinertia = full;
    return inertial;
}

// A mesh file is one asset per scale it is used with.
inline std::string urdf_mesh(Reader& r, const Element& e) {
    Vec3d scale{{1, 1, 1}};
    get(e, "scale", scale);
    const std::string file = asset_path(r, e, e.text("filename"));
    const std::string stem = std::filesystem::path(e.text("filename")).stem().string();
    int others = 0;
    for (const SpecMesh& mesh : r.spec.meshes) {
        if (std::filesystem::path(mesh.file).stem() != stem) continue;
        if (mesh.scale[0] == scale[0] && mesh.scale[1] == scale[1] && mesh.scale[2] == scale[2]) return mesh.name;
        ++others;
    }
    SpecMesh& mesh = r.spec.meshes.emplace_back();
    mesh.name = others ? stem + std::to_string(others) : stem;
    mesh.where = e.where();
    mesh.file = file;
    mesh.scale = scale;
    r.names.add(obj::mesh, mesh.name);
    return mesh.name;
}

inline void urdf_geom(Reader& r, const Element& e, SpecBody& body) {
    SpecGeom& g = body.geoms.emplace_back();
    g.where = e.where();
    if (const std::string name = e.text("name"); !r.names.has(obj::geom, name)) g.name = name;  // URDF does not ask for unique names
    r.names.add(obj::geom, g.name);
    if (e.tag == "visual") {
        g.contype = g.conaffinity = 0;
        g.group = 1;
        g.density = 0;
    }
    const Pose pose = urdf_origin(e);
    g.pos = pose.pos;
    g.quat = pose.quat;
    const Element& geometry = urdf_needed(e, "geometry");
    if (const Element* box = urdf_child(geometry, "box")) {
        g.type = Box::type;
        get(*box, "size", g.size);
        g.size = g.size * 0.5;
    } else if (const Element* sphere = urdf_child(geometry, "sphere")) {
        g.type = Sphere::type;
        get(*sphere, "radius", g.size[0]);
    } else if (const Element* mesh = urdf_child(geometry, "mesh")) {
        g.type = Mesh::type;
        g.mesh = urdf_mesh(r, *mesh);
    } else {
        const Element* cylinder = urdf_child(geometry, "cylinder");
        const Element* round = cylinder ? cylinder : urdf_child(geometry, "capsule");
        if (!round) geometry.fail("no shape that is known, expected <box>, <cylinder>, <sphere>, <capsule> or <mesh>");
        g.type = cylinder ? Cylinder::type : Capsule::type;
        get(*round, "radius", g.size[0]);
        get(*round, "length", g.size[1]);
        g.size[1] /= 2;
    }
}

inline void urdf_link(Reader& r, const Element& e, SpecBody& body) {
    const Element* inertial = urdf_child(e, "inertial");
    if (inertial && &body != &r.spec.world) body.inertial = urdf_inertial(*inertial);
    for (const Element& child : e.children)
        if (child.tag == "collision" || (child.tag == "visual" && !r.spec.compiler.discardvisual)) urdf_geom(r, child, body);
}

inline void urdf_mimic(Reader& r, const Element& e, const std::string& joint) {
    SpecEquality& q = r.spec.equalities.emplace_back(r.main.equality);
    q.where = e.where();
    q.type = eq::joint;
    q.objtype = obj::joint;
    q.name1 = joint;
    q.name2 = e.text("joint");
    get(e, "offset", q.data[0]);
    get(e, "multiplier", q.data[1]);
}

// The joint that has this among its words.
inline const JointKind& urdf_kind(std::string_view word) {
    for (const JointKind& kind : all_joints::kinds)
        for (std::string_view words = kind.urdf; !words.empty();) {
            const std::size_t end = std::min(words.find('|'), words.size());
            if (words.substr(0, end) == word) return kind;
            words.remove_prefix(std::min(end + 1, words.size()));
        }
    return kind_of<Hinge>;
}

inline void urdf_joint(Reader& r, const Element& e, SpecBody& body) {
    const std::string word = e.text("type");
    if (word == "fixed") return;
    Vec3d axis{{1, 0, 0}};
    if (const Element* written = urdf_child(e, "axis")) get(*written, "xyz", axis);

    SpecJoint joint{.where = e.where(), .axis = axis};
    if (const Element* dynamics = urdf_child(e, "dynamics")) {
        get(*dynamics, "damping", joint.damping[0]);
        get(*dynamics, "friction", joint.frictionloss);
    }
    const auto add = [&](const char* suffix, int kind, const Vec3d& along) -> SpecJoint& {
        SpecJoint& added = body.add_joint(joint);
        added.name = e.text("name") + suffix;
        added.type = kind;
        added.axis = along;
        added.tag = ++r.last_tag;
        r.names.add(obj::joint, added.name);
        return added;
    };
    SpecJoint* first = nullptr;  // the one that is limited
    if (word == "planar" && !r.planar_joints) {
        const Mat3<double> frame = to_mat3(z_to(direction(e, axis, "the axis")));
        first = &add("_TX", Slide::type, frame.column(0));
        add("_TY", Slide::type, frame.column(1));
        add("_RZ", Hinge::type, axis);
    } else {
        first = &add("", urdf_kind(word).type, axis);
    }
    if (const Element* limit = urdf_child(e, "limit")) {
        const bool lower = get(*limit, "lower", first->range[0]), upper = get(*limit, "upper", first->range[1]);
        if (lower != upper || first->range[0] > first->range[1]) first->limited = Tristate::no;
        if (word == "planar" && r.planar_joints) first->range[0] = 0;  // it bounds a distance
        double effort = 0;
        get(*limit, "effort", effort);
        if (effort != 0) first->actfrcrange = {{-std::abs(effort), std::abs(effort)}};
    }
    if (const Element* mimic = urdf_child(e, "mimic")) urdf_mimic(r, *mimic, first->name);
}

// A link, the joint it hangs on and the links that hang on it.
struct UrdfLink {
    const Element* element = nullptr;
    const Element* joint = nullptr;
    std::vector<const UrdfLink*> children{};
};

using UrdfLinks = SpecList<UrdfLink>;  // in the order of the file

inline UrdfLinks urdf_tree(const Element& root) {
    UrdfLinks links;
    Named<UrdfLink*> by_name;
    for (const Element& e : root.children) {
        if (e.tag.starts_with("xacro:")) e.fail("xacro is a macro language, expected URDF as it comes out of the xacro command");
        if (e.tag != "link") continue;
        UrdfLink& link = links.emplace_back();
        link.element = &e;
        if (!by_name.add(e.text("name"), &link)) e.fail({"repeated name '", e.text("name"), "', expected a name no other link has"});
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
        if (child->joint) e.fail({"link '", child->element->text("name"), "' is the child of two joints, expected one"});
        child->joint = &e;
        parent->children.push_back(child);
    }
    return links;
}

// A link and all that hangs on it; gives how many links these are.
inline std::size_t urdf_branch(Reader& r, const UrdfLink& link, SpecBody& parent, int depth) {
    const Element& e = *link.element;
    if (depth > max_joined_depth) e.fail({"links chained longer than ", std::to_string(max_joined_depth)});
    const bool world = e.text("name") == "world";
    if (world && link.joint) e.fail("link 'world' hangs on a joint, expected it to be the root");
    SpecBody& body = world ? r.spec.world : parent.bodies.emplace_back();
    if (!world) r.identify(e, obj::body, body);
    urdf_link(r, e, body);
    if (link.joint) {
        const Pose pose = urdf_origin(*link.joint);
        body.pos = pose.pos;
        body.quat = pose.quat;
        urdf_joint(r, *link.joint, body);
        r.local_poses.add(body.name, pose);
    }
    std::size_t reached = 1;
    for (const UrdfLink* child : link.children) reached += urdf_branch(r, *child, body, depth + 1);
    return reached;
}

inline void read_robot(Reader& r, const Element& root) {
    r.spec.compiler.fusestatic = true;
    r.spec.compiler.discardvisual = true;
    if (const Element* own = urdf_child(root, "mujoco")) {
        int planar = 0;
        if (get(*own, "planar", planar)) r.planar_joints = planar == 1;
        if (const Element* e = urdf_child(*own, "compiler")) read_compiler(r, *e);
        if (const Element* e = urdf_child(*own, "option")) read_option(r, *e);
        if (const Element* e = urdf_child(*own, "size")) read_size(r, *e);
    }
    r.angles.degree = false;
    get(root, "name", r.spec.name);
    r.spec.where = root.where();
    r.spec.world.name = "world";
    r.names.add(obj::body, "world");

    const UrdfLinks links = urdf_tree(root);
    std::size_t reached = 0;
    for (const UrdfLink& link : links)
        if (!link.joint) reached += urdf_branch(r, link, r.spec.world, 1);
    if (reached != links.size()) root.fail("links hang on each other in a loop, expected a tree");
}

}  // namespace mjx::inner::mjcf
