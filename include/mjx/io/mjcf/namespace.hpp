// Copies under new names. <replicate> and <attach> copy a part of the body tree with a prefix or suffix on every name in it; whatever
// refers to the part (pairs, excludes, tendons, equalities, actuators, sensors, tuples) is copied along if, under the same names,
// everything it refers to exists. The rules are MuJoCo's:
// - pairs, excludes and sensors with two objects need one of them in the copy; the other may be outside, under its own name;
// - tendons need one point of their path in the copy;
// - equalities, actuators and tuples must refer to the copy only.
#pragma once

#include "mjx/io/mjcf/frames.hpp"

namespace mjx::inner::mjcf {

struct Namespace {
    std::string prefix{}, suffix{};
    bool other_model = false;  // names of assets change as well

    [[gnu::noinline]] std::string operator()(const std::string& name) const { return name.empty() ? name : prefix + name + suffix; }
};

// ------------------------------------------------------------------------------------------- the body tree

// Everything that replicate and attach create counts, so that a short file cannot ask for an endless model.
[[gnu::cold]] inline void count_copy(Reader& r, const Element& e) {
    if (++r.account->copies > r.account->budget.copies) e.fail(over_budget(r.account->budget.copies, "copies"));
}

[[gnu::cold, gnu::noinline]] inline void rename_item(Reader& r, const Element& e, const Namespace& space, int type, std::string& name) {
    count_copy(r, e);
    name = space(name);
    r.names.add(type, name);
}
template <class T>
void rename_item(Reader& r, const Element& e, const Namespace& space, int type, T& item) {
    rename_item(r, e, space, type, item.name);
    if constexpr (requires { item.tag; }) item.tag = r.retagged[item.tag] = ++r.last_tag;
}

// Renames a copied body or frame with all it holds. `own_name` is false for a frame, whose body keeps its name.
[[gnu::cold]] inline void rename_tree(Reader& r, const Element& e, const Namespace& space, SpecBody& b, bool own_name) {
    if (own_name) rename_item(r, e, space, obj::body, b);
    if (b.cable) b.cable->chain = space(b.cable->chain);
    for (SpecJoint& j : b.joints) rename_item(r, e, space, obj::joint, j);
    for (SpecSite& s : b.sites) {
        rename_item(r, e, space, obj::site, s);
        if (!space.other_model) continue;
        s.mesh = space(s.mesh);
        s.material = space(s.material);
    }
    for (SpecGeom& g : b.geoms) {
        rename_item(r, e, space, obj::geom, g);
        if (!space.other_model) continue;
        g.mesh = space(g.mesh);
        g.hfield = space(g.hfield);
        g.material = space(g.material);
    }
    for (SpecCamera& c : b.cameras) {
        rename_item(r, e, space, obj::camera, c);
        c.target = space(c.target);
    }
    for (SpecLight& l : b.lights) {
        rename_item(r, e, space, obj::light, l);
        l.target = space(l.target);
    }
    for (SpecBody& child : b.bodies) rename_tree(r, e, space, child, true);
}

[[gnu::cold]] inline void forget_names(Names& names, const SpecBody& b, bool own_name) {
    if (own_name) names.remove(obj::body, b.name);
    for (const SpecJoint& j : b.joints) names.remove(obj::joint, j.name);
    for (const SpecSite& s : b.sites) names.remove(obj::site, s.name);
    for (const SpecGeom& g : b.geoms) names.remove(obj::geom, g.name);
    for (const SpecCamera& c : b.cameras) names.remove(obj::camera, c.name);
    for (const SpecLight& l : b.lights) names.remove(obj::light, l.name);
    for (const SpecBody& child : b.bodies) forget_names(names, child, true);
}

// ------------------------------------------------------------------------------------------- what refers to it

// Each `resolve` puts the references of an item into the namespace and says whether they all exist then.

[[gnu::cold]] inline bool resolve_two(const Names& names, const Namespace& space, int type1, std::string& name1, int type2,
                                      std::string& name2) {
    const std::string own1 = name1, own2 = name2;
    name1 = space(own1);
    name2 = space(own2);
    bool found1 = names.has(type1, name1), found2 = names.has(type2, name2);
    if (!found1 && found2) found1 = names.has(type1, name1 = own1);
    if (found1 && !found2) found2 = names.has(type2, name2 = own2);
    return found1 && found2;
}

[[gnu::cold]] inline bool resolve(const Names& n, const Namespace& s, SpecPair& p) {
    return resolve_two(n, s, obj::geom, p.geom1, obj::geom, p.geom2);
}
[[gnu::cold]] inline bool resolve(const Names& n, const Namespace& s, SpecExclude& x) {
    return resolve_two(n, s, obj::body, x.body1, obj::body, x.body2);
}
[[gnu::cold]] inline bool resolve(const Names& n, const Namespace& s, SpecSensor& x) {
    if (x.objtype != obj::unknown && x.reftype != obj::unknown) return resolve_two(n, s, x.objtype, x.objname, x.reftype, x.refname);
    x.objname = s(x.objname);
    x.refname = s(x.refname);
    return (x.objtype == obj::unknown || n.has(x.objtype, x.objname)) && (x.reftype == obj::unknown || n.has(x.reftype, x.refname));
}
[[gnu::cold]] inline bool resolve(const Names& n, const Namespace& s, SpecEquality& q) {
    q.name1 = s(q.name1);
    q.name2 = s(q.name2);
    return n.has(q.objtype, q.name1) && (q.name2.empty() || n.has(q.objtype, q.name2));
}
[[gnu::cold]] inline bool resolve(const Names& n, const Namespace& s, SpecTuple& t) {
    bool found = !t.entries.empty();
    for (SpecTuple::Entry& entry : t.entries) {
        entry.objname = s(entry.objname);
        found = found && n.has(entry.objtype, entry.objname);
    }
    return found;
}
[[gnu::cold]] inline bool resolve(const Names& n, const Namespace& s, SpecActuator& a) {
    a.target = s(a.target);
    a.refsite = s(a.refsite);
    a.slidersite = s(a.slidersite);
    const TransmissionKind* const kind = find_transmission(a.trntype);
    return kind && n.has(kind->target, a.target) && (a.refsite.empty() || n.has(obj::site, a.refsite)) &&
           (a.slidersite.empty() || n.has(obj::site, a.slidersite));
}
[[gnu::cold]] inline bool resolve(const Names& n, const Namespace& s, SpecTendon& t) {
    int inside = 0;
    for (SpecWrap& w : t.path) {
        if (w.type == wrap::pulley) continue;
        const int type = w.type == wrap::site ? int(obj::site) : w.type == wrap::joint ? int(obj::joint) : int(obj::geom);
        const auto exists = [&](const std::string& name, const std::string& side) {
            return n.has(type, name) && (side.empty() || n.has(obj::site, side));
        };
        if (exists(s(w.name), s(w.sidesite))) {
            w.name = s(w.name);
            w.sidesite = s(w.sidesite);
            ++inside;
        } else if (!exists(w.name, w.sidesite)) {
            return false;
        }
    }
    return inside > 0;
}

// Calls f(list in a, list in b, kind) for the lists of things that refer to the body tree, in the order in which they may refer
// to each other.
template <class F, class A>
[[gnu::cold]] void for_each_referrer(F&& f, A& a, const Spec& b) {
    f(a.pairs, b.pairs, int(obj::pair));
    f(a.excludes, b.excludes, int(obj::exclude));
    f(a.tendons, b.tendons, int(obj::tendon));
    f(a.equalities, b.equalities, int(obj::equality));
    f(a.actuators, b.actuators, int(obj::actuator));
    f(a.sensors, b.sensors, int(obj::sensor));
    f(a.tuples, b.tuples, int(obj::tuple));
}

// How many of each kind there are, in the order of for_each_referrer.
[[gnu::cold]] inline List<std::size_t> count_referrers(const Spec& s) {
    List<std::size_t> counts;
    for_each_referrer([&](const auto& list, const auto&, int) { counts.push_back(list.size()); }, s, s);
    return counts;
}

// Copies from `source` (which may be the model being read) everything that refers to a part of the tree just copied. Only the
// first `counts` of each kind are looked at: what an earlier copy has brought does not refer to this one.
[[gnu::cold, gnu::noinline]] inline void copy_referrers(Reader& r, const Element& e, const Spec& source, const Namespace& space,
                                                        const List<std::size_t>& counts) {
    std::size_t kind = 0;
    for_each_referrer(
        [&](auto& target, const auto& from, int type) {
            auto item = from.begin();
            for (std::size_t n = counts[kind++]; n > 0; --n, ++item) {
                std::remove_cvref_t<decltype(from)> single;
                auto& copy = single.emplace_back(*item);
                if (!resolve(r.names, space, copy)) continue;
                rename_item(r, e, space, type, copy);
                if constexpr (requires { copy.material; })
                    if (space.other_model) copy.material = space(copy.material);
                target.splice(target.end(), single);
            }
        },
        r.spec, source);
}

// Removes what referred to a part of the tree that is gone: resolvable `before`, not any more.
[[gnu::cold, gnu::noinline]] inline void remove_referrers(Reader& r, const Names& before) {
    for_each_referrer(
        [&](auto& list, const auto&, int type) {
            if (type == obj::tuple) return;
            for (auto item = list.begin(); item != list.end();) {
                const bool lost = resolve(before, {}, *item) && !resolve(r.names, {}, *item);  // no prefix, no suffix: names stay
                if (lost) r.names.remove(type, item->name);
                if (lost)
                    item = list.erase(item);
                else
                    ++item;
            }
        },
        r.spec, r.spec);
}

}  // namespace mjx::inner::mjcf
