// Equality constraints: their two objects resolved. What eq_data takes from the rest pose is filled in with the constants.
#pragma once

#include "mjx/compile/names.hpp"

namespace mjx::inner::compiler {

[[gnu::cold]] inline int equality_kind(const SpecEquality& e) {
    const EqualityKind* const kind = find_equality(e.type);
    if (!kind) fail(e, "equality", "this type of constraint is not supported");
    if (!ties_frames(e.type)) return kind->object;
    if (e.objtype != obj::body && e.objtype != obj::site) fail(e, "equality", "connect and weld need bodies or sites");
    return e.objtype;
}

[[gnu::cold]] inline void check_scalar_joint(const CompiledModel& m, const SpecEquality& e, int joint) {
    if (joint >= 0 && !m.kind(joint).scalar) fail(e, "equality", "only hinge and slide joints can be constrained");
}

// After the tendons, since constraints may refer to them.
[[gnu::cold]] inline void make_equalities(CompiledModel& m, const Spec& spec, const Names& names) {
    for (const SpecEquality& e : spec.equalities) {
        const int kind = equality_kind(e);
        const int first = names.require(kind, e.name1, e, "equality");
        int second = e.name2.empty() ? -1 : names.require(kind, e.name2, e, "equality");
        if (second < 0 && kind == obj::body) second = 0;
        if (first == second) fail(e, "equality", {"both objects are ", quoted(e.name1), ", expected two different ones"});
        if (second < 0 && kind == obj::site) fail(e, "equality", "needs a second site");
        if (second < 0 && kind == obj::geom) fail(e, "equality", "needs a second geom");
        if (kind == obj::joint) {
            check_scalar_joint(m, e, first);
            check_scalar_joint(m, e, second);
        }
        ++m.neq;
        m.eq_name.push_back(e.name);
        m.eq_type.push_back(e.type);
        m.eq_obj1id.push_back(first);
        m.eq_obj2id.push_back(second);
        m.eq_objtype.push_back(ties_frames(e.type) ? kind : static_cast<int>(obj::unknown));
        m.eq_active0.push_back(e.active);
        m.eq_solref.push_back(e.solref);
        m.eq_solimp.push_back(e.solimp);
        m.eq_data.push_back(e.data);
    }
}

}  // namespace mjx::inner::compiler
