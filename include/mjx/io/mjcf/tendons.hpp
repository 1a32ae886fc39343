// <tendon>: spatial tendons run over sites, geoms and pulleys; fixed ones add up joint positions.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

[[gnu::cold]] inline void get_tendon(const Element& e, SpecTendon& t) {
    read_attributes(e, tendon_attributes, t);
    read_attributes(e, spatial_attributes, t);
    // one number is the length without slack
    if (split_words(e.text("springlength")).size() == 1) t.springlength[1] = t.springlength[0];
}

[[gnu::cold]] inline SpecWrap make_wrap(const Element& e) {
    SpecWrap w;
    w.where = e.where();
    if (e.tag == "site")
        get(e, "site", w.name);
    else if (e.tag == "geom") {
        w.type = wrap::sphere;  // or cylinder, when the geom is known
        get(e, "geom", w.name);
        get(e, "sidesite", w.sidesite);
    } else if (e.tag == "pulley") {
        w.type = wrap::pulley;
        get(e, "divisor", w.prm);
    } else {
        w.type = wrap::joint;
        get(e, "joint", w.name);
        get(e, "coef", w.prm);
    }
    return w;
}

[[gnu::cold]] inline void read_tendons(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        SpecTendon& t = r.spec.tendons.emplace_back(r.class_of(e).tendon);
        r.identify(e, obj::tendon, t);
        get_tendon(e, t);
        if (t.width <= 0) e.fail("attribute 'width' is not positive, expected a length");
        for (const Element& child : e.children) t.path.push_back(make_wrap(child));
        if (t.path.empty()) e.fail({"tendon without a path, expected ", e.tag == "fixed" ? "<joint>" : "<site>", " in it"});
    }
}

}  // namespace mjx::inner::mjcf
