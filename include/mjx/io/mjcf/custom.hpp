// <custom> and <keyframe>: data that travels with the model.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

// The kind of object an objtype attribute names.
[[gnu::cold]] inline int object_type(const Element& e, const char* attribute) {
    const std::string text = e.text(attribute);
    for (int type = obj::body; type <= obj::plugin; ++type)
        if (text == Reader::kind_name(type)) return type;
    e.fail({"attribute '", attribute, "': unknown kind of object '", text, "', expected body, geom, joint, ..."});
}

[[gnu::cold]] inline void read_numeric(Reader& r, const Element& e) {
    constexpr int most = 500;
    SpecNumeric& n = r.spec.numerics.emplace_back();
    r.identify(e, obj::numeric, n);
    get(e, "data", n.data);
    int size = static_cast<int>(n.data.size());
    if (get(e, "size", size) && static_cast<std::size_t>(std::max(size, 0)) < n.data.size())
        e.fail("attribute 'data' has more numbers than 'size' says");
    if (size < 1 || size > most) e.fail({"custom numeric has ", std::to_string(size), " numbers, expected 1 to 500"});
    n.data.resize(static_cast<std::size_t>(size));
}

[[gnu::cold]] inline void read_tuple(Reader& r, const Element& e) {
    SpecTuple& t = r.spec.tuples.emplace_back();
    r.identify(e, obj::tuple, t);
    for (const Element& child : e.children) {
        SpecTuple::Entry entry{object_type(child, "objtype"), child.text("objname"), 0};
        get(child, "prm", entry.prm);
        t.entries.push_back(entry);
    }
}

// Its data is an attribute or what stands in the element, such as a CDATA section, without the space around it.
[[gnu::cold]] inline void read_text(Reader& r, const Element& e) {
    SpecText& t = r.spec.texts.emplace_back();
    r.identify(e, obj::text, t);
    const std::size_t first = e.content.find_first_not_of(white_space), last = e.content.find_last_not_of(white_space);
    const bool written = get(e, "data", t.data), inside = first != std::string::npos;
    if (written && inside) e.fail("data both as an attribute and in the element, expected one of them");
    if (inside) t.data = e.content.substr(first, last + 1 - first);
    if (t.data.empty()) e.fail("attribute 'data' is empty, expected text");
}

[[gnu::cold]] inline void read_custom(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        if (e.tag == "numeric")
            read_numeric(r, e);
        else if (e.tag == "tuple")
            read_tuple(r, e);
        else
            read_text(r, e);
    }
}

[[gnu::cold]] inline void read_keyframe(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        SpecKey& k = r.spec.keys.emplace_back();
        r.identify(e, obj::key, k);
        read_attributes(e, key_attributes, k);
    }
}

}  // namespace mjx::inner::mjcf
