// <equality>: connect, weld, joint and tendon couplings. `data` is laid out as in MuJoCo: connect anchor[3]; weld anchor[3],
// relpose[7] (position, quaternion; all zero: the initial one), torquescale; joint and tendon polycoef[5].
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

template <int N>
bool get_data(const Element& e, const char* name, SpecEquality& q, int first) {
    Vec<double, N> values;
    for (int i = 0; i < N; ++i) values[i] = q.data[first + i];
    const bool found = get(e, name, values);
    for (int i = 0; i < N; ++i) q.data[first + i] = values[i];
    return found;
}

[[gnu::cold]] inline void read_equality(Reader& r, const Element& section) {
    for (const Element& e : section.children) {
        SpecEquality& q = r.spec.equalities.emplace_back(r.class_of(e).equality);
        r.identify(e, obj::equality, q);
        read_attributes(e, equality_attributes, q);
        const EqualityKind* const kind = equality_named(e.tag);
        if (!kind) e.fail("flexible bodies are not supported");
        q.type = kind->type;
        if (!ties_frames(q.type)) {
            q.objtype = kind->object;
            get(e, (e.tag + "1").c_str(), q.name1);
            get(e, (e.tag + "2").c_str(), q.name2);
            get_data<5>(e, "polycoef", q, 0);
            continue;
        }
        q.objtype = e.has("site1") ? int(obj::site) : int(obj::body);
        get(e, e.has("site1") ? "site1" : "body1", q.name1);
        get(e, e.has("site1") ? "site2" : "body2", q.name2);
        const bool anchored = get_data<3>(e, "anchor", q, 0);
        if (!ties_rotations(q.type)) continue;
        if (!anchored && q.objtype == obj::body) q.data[0] = q.data[1] = q.data[2] = 0;
        get_data<7>(e, "relpose", q, 3);
        get_data<1>(e, "torquescale", q, 10);
    }
}

}  // namespace mjx::inner::mjcf
