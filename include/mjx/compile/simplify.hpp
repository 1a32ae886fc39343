// Passes that shrink the tree: fusestatic welds bodies without joints into their parents, discardvisual drops geoms that take no
// part in physics. Both keep whatever the rest of the model refers to by name.
#pragma once

#include "mjx/compile/body.hpp"

#include <map>

namespace mjx::inner::compiler {

inline bool is_body(int kind) { return kind == obj::body || kind == obj::xbody; }

// Bodies that something outside the tree, a camera or a light refers to.
[[gnu::cold]] inline NameMap referenced_bodies(const Spec& spec, const Tree& tree) {
    NameMap names;
    for (const BodyNode* b : tree.bodies) {
        for (const SpecCamera& s : b->cameras) names.add(s.target);
        for (const SpecLight& s : b->lights) names.add(s.target);
    }
    for (const SpecExclude& e : spec.excludes) add_names(names, e.body1, e.body2);
    for (const SpecEquality& e : spec.equalities)
        if (ties_frames(e.type) && e.objtype == obj::body) add_names(names, e.name1, e.name2);
    for (const SpecActuator& a : spec.actuators)
        if (const auto* kind = find_transmission(a.trntype); kind && is_body(kind->target)) names.add(a.target);
    for (const SpecSensor& s : spec.sensors) {
        if (is_body(s.objtype)) names.add(s.objname);
        if (is_body(s.reftype)) names.add(s.refname);
    }
    for (const SpecTuple& t : spec.tuples)
        for (const SpecTuple::Entry& e : t.entries)
            if (is_body(e.objtype)) names.add(e.objname);
    names.remove("");
    return names;
}

// Sites with a sensor that measures what passes between their body and its parent.
[[gnu::cold]] inline NameMap load_sites(const Spec& spec) {
    NameMap names;
    for (const SpecSensor& s : spec.sensors)
        if (s.objtype == obj::site && sensor_does<sensor_fact::joint_force>(s.type)) names.add(s.objname);
    return names;
}

// The parts of geoms count only where they are all of the body.
[[gnu::cold]] inline void keep_whole_parts(BodyNode& b) {
    double mass = 0;
    for (const GeomNode& g : b.geoms) mass += g.geom_mass;
    if (std::abs(mass - b.mass) > 1e-12 * b.mass)
        for (GeomNode& g : b.geoms) take_no_part(g);
}

[[gnu::cold]] inline void fuse_into_parent(BodyNode& b, int mujoco) {
    BodyNode& parent = *b.parent;
    if (parent.id > 0 && b.mass >= minval) {
        Vec3d ipos = b.ipos;
        Quatd iquat = b.iquat;
        accumulate_frame(b.pos, b.quat, ipos, iquat);
        combine_inertia(parent, {{parent.mass, parent.ipos, parent.iquat, parent.inertia}, {b.mass, ipos, iquat, b.inertia}}, mujoco);
    }
    for (BodyNode* child : b.children) {
        accumulate_frame(b.pos, b.quat, child->pos, child->quat);
        child->parent = &parent;
    }
    const auto move = [&](auto& from, auto& to) {
        for (auto& e : from) accumulate_frame(b.pos, b.quat, e.pos, e.quat);
        to.splice(to.end(), from);
    };
    move(b.geoms, parent.geoms);
    if (parent.id > 0) keep_whole_parts(parent);  // the world has no mass
    move(b.sites, parent.sites);
    // as in MuJoCo, cameras and lights keep their numbers, now read in the parent's frame
    parent.cameras.splice(parent.cameras.end(), b.cameras);
    parent.lights.splice(parent.lights.end(), b.lights);
}

// A named body is fused only while every other reference to a body can be found at the id it is known by, as in MuJoCo: ids of
// bodies further on are those before anything was fused, so each fusion may keep later bodies from being fused.
class FusionRule {
  public:
    FusionRule(const Spec& spec, const Tree& tree) : bodies_(referenced_bodies(spec, tree)), sites_(load_sites(spec)) {
        for (const BodyNode* b : tree.bodies)
            if (bodies_.contains(b->name())) know(b->name(), b->id);
    }
    bool fuses(const BodyNode& b, int id, int nbody) {
        if (!b.name().empty() && !can_go(b, id, nbody)) return false;
        return !b.moves() && !b.mocap();
    }

  private:
    bool can_go(const BodyNode& b, int id, int nbody) {
        const auto measured = [&](const SpecSite& s) { return !s.name.empty() && sites_.contains(s.name); };
        if (bodies_.contains(b.name())) {
            know(b.name(), id);
            return false;
        }
        return std::none_of(b.sites.begin(), b.sites.end(), measured) && (ids_.empty() || ids_.rbegin()->first < nbody);
    }
    void know(const std::string& name, int id) {
        if (const int* old = known_.find(name); old && --ids_[*old] == 0) ids_.erase(*old);
        known_[name] = id;
        ++ids_[id];
    }

    NameMap bodies_, sites_;
    NameMap known_{};             // of the bodies referred to
    std::map<int, int> ids_{};    // how many have an id
};

[[gnu::cold]] inline void fuse_static(Tree& tree, const Spec& spec) {
    FusionRule rule(spec, tree);
    const std::size_t count = tree.bodies.size();
    std::size_t kept = 1;
    for (std::size_t i = 1; i < count; ++i) {
        BodyNode& b = *tree.bodies[i];
        if (rule.fuses(b, static_cast<int>(kept), static_cast<int>(kept + count - i)))
            fuse_into_parent(b, spec.option.mujoco);
        else
            tree.bodies[kept++] = &b;
    }
    tree.bodies.resize(kept);
    for (BodyNode* b : tree.bodies) b->children.clear();
    for (std::size_t i = 1; i < kept; ++i) tree.bodies[i]->parent->children.push_back(tree.bodies[i]);  // depth-first order survives
    tree.renumber();
}

[[gnu::cold]] inline void mark_used_geoms(Tree& tree, const Spec& spec) {
    const NameMap used = referenced_geoms(spec);
    tree.for_each_geom([&](BodyNode&, GeomNode& g) {
        if (!g.name.empty() && used.contains(g.name)) g.visual = false;
    });
}

[[gnu::cold]] inline void discard_visual(Tree& tree) {
    for (BodyNode* b : tree.bodies)
        for (auto g = b->geoms.begin(); g != b->geoms.end();) {
            if (g->visual)
                g = b->geoms.erase(g);
            else
                ++g;
        }
    tree.renumber();
}

}  // namespace mjx::inner::compiler
