// Passes that shrink the tree: fusestatic welds bodies without joints into their parents, discardvisual drops geoms that take no
// part in physics. Both keep whatever the rest of the model refers to by name.
#pragma once

#include "mjx/compile/body.hpp"

namespace mjx::inner::compiler {

inline bool is_body(int kind) { return kind == obj::body || kind == obj::xbody; }

// Bodies that something outside the tree, a camera or a light refers to.
inline NameSet referenced_bodies(const Spec& spec, const Tree& tree) {
    NameSet names;
    for (const BodyNode* b : tree.bodies) {
        for (const SpecCamera& s : b->cameras) names.insert(s.target);
        for (const SpecLight& s : b->lights) names.insert(s.target);
    }
    for (const SpecExclude& e : spec.excludes) add_names(names, e.body1, e.body2);
    for (const SpecEquality& e : spec.equalities)
        if (ties_frames(e.type) && e.objtype == obj::body) add_names(names, e.name1, e.name2);
    for (const SpecActuator& a : spec.actuators)
        if (const auto* kind = find_transmission(a.trntype); kind && is_body(kind->target)) names.insert(a.target);
    for (const SpecSensor& s : spec.sensors) {
        if (is_body(s.objtype)) names.insert(s.objname);
        if (is_body(s.reftype)) names.insert(s.refname);
    }
    for (const SpecTuple& t : spec.tuples)
        for (const SpecTuple::Entry& e : t.entries)
            if (is_body(e.objtype)) names.insert(e.objname);
    names.erase("");
    return names;
}

// Sites with a sensor that measures what passes between their body and its parent.
inline NameSet load_sites(const Spec& spec) {
    NameSet names;
    for (const SpecSensor& s : spec.sensors)
        if (s.objtype == obj::site && sensor_does<sensor_fact::joint_force>(s.type)) names.insert(s.objname);
    return names;
}

// The parts of geoms count only where they are all of the body.
inline void keep_whole_parts(BodyNode& b) {
    double mass = 0;
    for (const GeomNode& g : b.geoms) mass += g.geom_mass;
    if (std::abs(mass - b.mass) > 1e-12 * b.mass)
        for (GeomNode& g : b.geoms) take_no_part(g);
}

inline void fuse_into_parent(BodyNode& b) {
    BodyNode& parent = *b.parent;
    if (parent.id > 0 && b.mass >= minval) {
        Vec3d ipos = b.ipos;
        Quatd iquat = b.iquat;
        accumulate_frame(b.pos, b.quat, ipos, iquat);
        combine_inertia(parent, {{parent.mass, parent.ipos, parent.iquat, parent.inertia}, {b.mass, ipos, iquat, b.inertia}});
    }
    for (BodyNode* child : b.children) {
        accumulate_frame(b.pos, b.quat, child->pos, child->quat);
        child->parent = &parent;
    }
    const auto place_in_list = std::find(parent.children.begin(), parent.children.end(), &b);
    const auto after = parent.children.erase(place_in_list);
    parent.children.insert(after, b.children.begin(), b.children.end());

    const auto move = [&](auto& from, auto& to) {
        for (auto& e : from) accumulate_frame(b.pos, b.quat, e.pos, e.quat);
        to.splice(to.end(), from);
    };
    move(b.geoms, parent.geoms);
    keep_whole_parts(parent);
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
        for (const BodyNode* b : tree.bodies) known_[b->name()] = b->id;
    }
    bool fuses(const BodyNode& b, int id, int nbody) {
        if (!b.name().empty() && !can_go(b, id, nbody)) return false;
        return !b.moves() && !b.mocap();
    }

  private:
    bool can_go(const BodyNode& b, int id, int nbody) {
        known_[b.name()] = id;
        const auto measured = [&](const SpecSite& s) { return !s.name.empty() && sites_.count(s.name) > 0; };
        if (bodies_.count(b.name()) || std::any_of(b.sites.begin(), b.sites.end(), measured)) return false;
        return std::all_of(bodies_.begin(), bodies_.end(), [&](const std::string& name) {
            const auto found = known_.find(name);
            return found == known_.end() || found->second < nbody;
        });
    }

    NameSet bodies_, sites_;
    NameMap known_{};
};

inline void fuse_static(Tree& tree, const Spec& spec) {
    FusionRule rule(spec, tree);
    for (std::size_t i = 1; i < tree.bodies.size();) {
        if (!rule.fuses(*tree.bodies[i], static_cast<int>(i), static_cast<int>(tree.bodies.size()))) {
            ++i;
            continue;
        }
        fuse_into_parent(*tree.bodies[i]);
        tree.bodies.erase(tree.bodies.begin() + static_cast<std::ptrdiff_t>(i));  // depth-first order survives
    }
    tree.renumber();
}

inline void mark_used_geoms(Tree& tree, const Spec& spec) {
    const NameSet used = referenced_geoms(spec);
    tree.for_each_geom([&](BodyNode&, GeomNode& g) {
        if (!g.name.empty() && used.count(g.name)) g.visual = false;
    });
}

inline void discard_visual(Tree& tree) {
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
