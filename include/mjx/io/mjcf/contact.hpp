// <contact>: geom pairs to check whatever their bits say, and body pairs never to check.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

inline void get_pair(const Element& e, SpecPair& p) {
    get(e, "geom1", p.geom1);
    get(e, "geom2", p.geom2);
    get(e, "condim", p.condim);
    get(e, "friction", p.friction);
    get(e, "solref", p.solref);
    get(e, "solreffriction", p.solreffriction);
    get(e, "solimp", p.solimp);
    get(e, "gap", p.gap);
    get(e, "margin", p.margin);
    get(e, "adhesion", p.adhesion);
}

inline void read_contact(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        if (e.tag == "pair") {
            SpecPair& p = r.spec.pairs.emplace_back(r.class_of(e).pair);
            get_pair(e, p);
            r.identify(e, obj::pair, p);
            if (p.geom1.empty() || p.geom2.empty()) e.fail("missing attribute, expected 'geom1' and 'geom2'");
        } else {
            SpecExclude& x = r.spec.excludes.emplace_back();
            get(e, "body1", x.body1);
            get(e, "body2", x.body2);
            r.identify(e, obj::exclude, x);
        }
    }
}

}  // namespace mjx::inner::mjcf
