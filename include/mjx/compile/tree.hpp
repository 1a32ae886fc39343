// The compiler's working tree: bodies in depth-first order with everything attached to them, resolved step by step.
//
// build_tree copies the Spec's bodies; the later passes change poses, fuse static bodies and drop visual geoms in it; the table
// writers number what remains. Ids are places in that order, as in MuJoCo.
#pragma once

#include "mjx/compile/inertia.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/model/list.hpp"
#include "mjx/model/spec.hpp"

#include <span>
#include <string>

namespace mjx::inner::compiler {

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const std::string& where, Pieces what) {
    throw_model_error({where, where.empty() ? "" : ": ", joined(what)});
}
[[noreturn, gnu::cold]] inline void fail(const std::string& where, std::string_view what) { fail(where, {what}); }

// Says where an element is: its place in the file, or its kind and name when it was made in C++.
[[gnu::cold, gnu::noinline]] inline std::string place(const std::string& where, const std::string& name, const char* kind) {
    if (!where.empty()) return where;
    return name.empty() ? std::string(kind) : std::string(kind) + " '" + name + "'";
}
template <class Element>
[[gnu::cold]] std::string place(const Element& e, const char* kind) {
    return place(e.where, e.name, kind);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const std::string& where, const std::string& name, const char* kind, Pieces what) {
    fail(place(where, name, kind), what);
}
template <class Element>
[[noreturn]] void fail(const Element& e, const char* kind, Pieces what) {
    fail(e.where, e.name, kind, what);
}
template <class Element>
[[noreturn]] void fail(const Element& e, const char* kind, std::string_view what) {
    fail(e.where, e.name, kind, {what});
}

inline std::string quoted(const std::string& name) { return "'" + name + "'"; }

// The quaternion of an element, of unit length.
template <class Element>
Quatd unit_quat(const Element& e, const char* kind, const Quatd& q) {
    if (!is_rotation(q)) fail(e, kind, "its quaternion is zero or not finite, expected a rotation");
    return unit(q);
}

struct JointNode : SpecJoint {
    const JointKind* kind = nullptr;
};

struct GeomNode : SpecGeom {
    int id = -1;
    int dataid = -1;               // mesh or height field
    double geom_mass = 0;          // 0 unless the body's inertia is inferred from this geom
    Vec3d inertia{{0, 0, 0}};      // principal moments, geom frame
    Vec6<double> aabb{};           // centre and half sizes, geom frame
    double rbound = 0;
    Vec<double, nfluid> fluid{};
    bool visual = false;           // takes no part in physics: discardvisual removes it
};

struct SiteNode : SpecSite {
    int dataid = -1;  // mesh
};

struct BodyNode {
    const SpecBody* spec = nullptr;
    BodyNode* parent = nullptr;
    int id = 0;
    int weldid = 0;
    Vec3d pos{{0, 0, 0}};
    Quatd quat{{1, 0, 0, 0}};
    Vec3d ipos{{0, 0, 0}};
    Quatd iquat{{1, 0, 0, 0}};
    double mass = 0;
    Vec3d inertia{{0, 0, 0}};
    SpecList<JointNode> joints{};
    SpecList<GeomNode> geoms{};
    SpecList<SiteNode> sites{};
    SpecList<SpecCamera> cameras{};
    SpecList<SpecLight> lights{};
    List<BodyNode*> children{};

    const std::string& name() const { return spec->name; }
    bool moves() const { return !joints.empty(); }
    bool mocap() const { return spec->mocap; }
    [[noreturn]] void fail(std::string_view what) const { compiler::fail(*spec, "body", what); }
};

struct Tree {
    SpecList<BodyNode> storage{};
    List<BodyNode*> bodies{};  // depth first, the world first

    BodyNode& world() { return *bodies[0]; }

    // After bodies came or went: order, ids and weld roots.
    void renumber() {
        List<BodyNode*> stack{bodies[0]};
        bodies.clear();
        while (!stack.empty()) {
            BodyNode* b = stack.back();
            stack.pop_back();
            b->id = static_cast<int>(bodies.size());
            b->weldid = b->id == 0 || b->moves() || b->mocap() ? b->id : b->parent->weldid;
            bodies.push_back(b);
            for (std::size_t c = b->children.size(); c > 0; --c) stack.push_back(b->children[c - 1]);
        }
        int geom = 0;
        for (BodyNode* b : bodies)
            for (GeomNode& g : b->geoms) g.id = geom++;
    }

    template <class F>
    void for_each_geom(F&& f) {
        for (BodyNode* b : bodies)
            for (GeomNode& g : b->geoms) f(*b, g);
    }
};

// The joints that a model may have, as numbers.
using JointKinds = std::span<const JointKind>;

[[gnu::cold]] inline const JointKind& require_kind(const SpecJoint& j, JointKinds kinds) {
    if (const JointKind* kind = find_kind(kinds, j.type)) return *kind;
    std::string known;
    for (const JointKind& kind : kinds) known += (known.empty() ? "" : ", ") + std::string(kind.name);
    const JointKind* other = find_kind(all_joints::kinds, j.type);
    const std::string type = other ? other->name : std::to_string(j.type);
    fail(j, "joint", {"type ", type, " is not in the joint_set of this model, expected one of ", known});
}

[[gnu::cold]] inline void add_node(Tree& tree, const SpecBody& source, BodyNode* parent, JointKinds kinds) {
    BodyNode& node = tree.storage.emplace_back();
    node.spec = &source;
    node.parent = parent;
    if (parent) {
        node.pos = source.pos;
        node.quat = unit_quat(source, "body", source.quat);
        parent->children.push_back(&node);
    }
    for (const SpecJoint& j : source.joints) node.joints.push_back({j, &require_kind(j, kinds)});
    for (const SpecGeom& g : source.geoms) node.geoms.emplace_back(g);
    for (const SpecSite& s : source.sites) node.sites.push_back({s});
    node.cameras = source.cameras;
    node.lights = source.lights;
}

[[gnu::cold]] inline Tree build_tree(const Spec& spec, JointKinds kinds) {
    Tree tree;
    add_node(tree, spec.world, nullptr, kinds);
    for (BodyNode& node : tree.storage)  // which grows on the way
        for (const SpecBody& child : node.spec->bodies) add_node(tree, child, &node, kinds);
    tree.bodies.push_back(&tree.storage.front());
    tree.renumber();
    return tree;
}

// Child frame in the outer frame of its parent.
[[gnu::cold]] inline void accumulate_frame(const Vec3d& pos, const Quatd& quat, Vec3d& child_pos, Quatd& child_quat) {
    child_pos = pos + to_mat3(quat) * child_pos;
    child_quat = unit_product(quat, child_quat);
}

}  // namespace mjx::inner::compiler
