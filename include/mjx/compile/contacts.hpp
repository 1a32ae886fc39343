// Explicit contact pairs and excluded body pairs, sorted by their bodies as MuJoCo does.
#pragma once

#include "mjx/compile/names.hpp"

namespace mjx::inner::compiler {

// Attributes a pair leaves out have MuJoCo's defaults, whatever its geoms say.
[[gnu::cold]] inline void push_pair(CompiledModel& m, const SpecPair& p, int geom1, int geom2) {
    ++m.npair;
    m.pair_name.push_back(p.name);
    m.pair_geom1.push_back(geom1);
    m.pair_geom2.push_back(geom2);
    m.pair_dim.push_back(p.condim.value_or(3));
    m.pair_solref.push_back(p.solref.value_or(default_solref));
    m.pair_solreffriction.push_back(p.solreffriction.value_or(SolRef{{0, 0}}));
    m.pair_solimp.push_back(p.solimp.value_or(default_solimp));
    m.pair_margin.push_back(p.margin.value_or(0));
    m.pair_gap.push_back(p.gap.value_or(0));
    m.pair_adhesion.push_back(p.adhesion.value_or(0));
    m.pair_friction.push_back(p.friction.value_or(Vec<double, 5>{{1, 1, 0.005, 0.0001, 0.0001}}));
}

// Ids of the two objects of each element, with that of the lower body first, and the order of the elements by their bodies.
struct OrderedPairs {
    Array<Vec<int, 2>> ids{}, bodies{};
    List<int> order{};

    void add(int id1, int id2, int body1, int body2) {
        if (body1 > body2) {
            std::swap(id1, id2);
            std::swap(body1, body2);
        }
        order.push_back(ids.size());
        ids.push_back({{id1, id2}});
        bodies.push_back({{body1, body2}});
    }
    void sort() {
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return bodies[a][0] != bodies[b][0] ? bodies[a][0] < bodies[b][0] : bodies[a][1] < bodies[b][1];
        });
    }
};

[[gnu::cold]] inline void make_pairs(CompiledModel& m, const Spec& spec, const Names& names) {
    OrderedPairs pairs;
    Array<const SpecPair*> elements;
    for (const SpecPair& p : spec.pairs) {
        const int dim = p.condim.value_or(3);
        if (dim != 1 && dim != 3 && dim != 4 && dim != 6) fail(p, "pair", {"condim is ", std::to_string(dim), ", expected 1, 3, 4 or 6"});
        const int geom1 = names.require(obj::geom, p.geom1, p, "pair");
        const int geom2 = names.require(obj::geom, p.geom2, p, "pair");
        pairs.add(geom1, geom2, m.geom_bodyid[geom1], m.geom_bodyid[geom2]);
        elements.push_back(&p);
    }
    pairs.sort();
    for (const int i : pairs.order) push_pair(m, *elements[i], pairs.ids[i][0], pairs.ids[i][1]);
}

[[gnu::cold]] inline void make_excludes(CompiledModel& m, const Spec& spec, const Names& names) {
    OrderedPairs pairs;
    Array<const SpecExclude*> elements;
    for (const SpecExclude& e : spec.excludes) {
        const int body1 = names.require(obj::body, e.body1, e, "exclude");
        const int body2 = names.require(obj::body, e.body2, e, "exclude");
        pairs.add(body1, body2, body1, body2);
        elements.push_back(&e);
    }
    pairs.sort();
    for (const int i : pairs.order) {
        ++m.nexclude;
        m.exclude_name.push_back(elements[i]->name);
        m.exclude_body1.push_back(pairs.ids[i][0]);
        m.exclude_body2.push_back(pairs.ids[i][1]);
    }
}

}  // namespace mjx::inner::compiler
