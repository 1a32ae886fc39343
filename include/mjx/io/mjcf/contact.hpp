// <contact>: geom pairs to check whatever their bits say, and body pairs never to check.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

[[gnu::cold]] inline void read_contact(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        if (e.tag == "pair") {
            SpecPair& p = r.spec.pairs.emplace_back(r.class_of(e).pair);
            read_attributes(e, pair_attributes, p);
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
