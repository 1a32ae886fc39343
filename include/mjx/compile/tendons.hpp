// Tendons: paths resolved to joints, sites and geoms, limits, and the dofs each tendon's length may depend on.
#pragma once

#include "mjx/compile/limits.hpp"
#include "mjx/compile/names.hpp"
#include "mjx/model/shape/list.hpp"
#include "mjx/model/tendon_path.hpp"
#include "mjx/stage/jacobian.hpp"

namespace mjx::inner::compiler {

// One object of a path. Geoms take the type of their shape; their parameter is the side site.
[[gnu::cold]] inline void push_wrap(CompiledModel& m, const SpecTendon& t, const SpecWrap& w, const Names& names) {
    const std::string where = w.where.empty() ? place(t, "tendon") : w.where;
    int type = w.type, id = -1;
    double prm = w.prm;
    switch (w.type) {
        case wrap::joint: id = names.require(obj::joint, w.name, where); break;  // of a ball or free joint: its first coordinate
        case wrap::site: id = names.require(obj::site, w.name, where); break;
        case wrap::pulley:
            if (w.prm < 0) fail(where, "the divisor of a pulley cannot be negative");
            break;
        case wrap::sphere:
        case wrap::cylinder:
            id = names.require(obj::geom, w.name, where);
            type = wrap::none;
            all_shapes::visit(m.geom_type[id], [&](auto s) { type = s.tendon_wrap; });
            if (type == wrap::none) fail(where, {"a tendon wraps around spheres and cylinders, geom ", quoted(w.name), " is neither"});
            prm = w.sidesite.empty() ? -1 : names.require(obj::site, w.sidesite, where);
            break;
        default: fail(where, "unknown object in a tendon");
    }
    ++m.nwrap;
    m.wrap_type.push_back(type);
    m.wrap_objid.push_back(id);
    m.wrap_prm.push_back(prm);
}

// The rules of a spatial path about neighbours; `type` and `id` are those of its objects.
[[gnu::cold]] inline void check_spatial_path(const CompiledModel& m, const SpecTendon& t, int first, int count) {
    const auto type = [&](int i) { return i < 0 || i >= count ? static_cast<int>(wrap::pulley) : m.wrap_type[first + i]; };
    const auto wrong = [&](int i, const char* what) { fail(t, "tendon", {what, " (object ", std::to_string(i), " of its path)"}); };
    if (count < 2) fail(t, "tendon", "a spatial path needs at least two objects");
    if (t.armature < 0) fail(t, "tendon", "armature cannot be negative");
    for (int i = 0; i < count; ++i) {
        switch (type(i)) {
            case wrap::joint: wrong(i, "a joint cannot be in a spatial path"); break;
            case wrap::pulley:
                if (i > 0 && type(i - 1) == wrap::pulley) wrong(i, "a pulley cannot follow a pulley");
                if (i == count - 1) wrong(i, "a path cannot end with a pulley");
                break;
            case wrap::site:
                if (type(i - 1) == wrap::pulley && type(i + 1) == wrap::pulley) wrong(i, "a site needs a neighbour that is not a pulley");
                if (i + 1 < count && type(i + 1) == wrap::site && m.wrap_objid[first + i] == m.wrap_objid[first + i + 1])
                    wrong(i, "a site is repeated");
                break;
            default:
                if (type(i - 1) != wrap::site || type(i + 1) != wrap::site) wrong(i, "a geom must stand between two sites");
                if (t.armature > 0) wrong(i, "a tendon with armature cannot wrap around geoms");
        }
    }
}

[[gnu::cold]] inline void check_tendon_limits(const SpecTendon& t, const SpecCompiler& c) {
    check_autolimits(t, "tendon", "", c.autolimits, t.limited, t.range);
    check_range(t, "tendon", "range", t.limited, t.range);
    check_autolimits(t, "tendon", "actuatorfrc", c.autolimits, t.actfrclimited, t.actfrcrange);
    check_range(t, "tendon", "actuatorfrcrange", t.actfrclimited, t.actfrcrange);
    if (is_limited(t.actfrclimited, t.actfrcrange) && (t.actfrcrange[0] > 0 || t.actfrcrange[1] < 0))
        fail(t, "tendon", "actuatorfrcrange must contain 0");
    if (t.springlength[0] > t.springlength[1]) fail(t, "tendon", "invalid springlength, expected the smaller length first");
}

// Dofs of the joints of a fixed tendon, or of all bodies a spatial tendon touches; none if that is one body, where the length is
// constant.
[[gnu::cold]] inline List<int> tendon_dofs(const CompiledModel& m, int t) {
    List<int> dofs, bodies;
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
        if (m.wrap_type[w] == wrap::joint)
            dofs.push_back(m.jnt_dofadr[m.wrap_objid[w]]);
        else if (const int body = wrap_body(m, w); body >= 0)
            bodies.push_back(body);
    }
    sort_unique(bodies);
    if (bodies.size() > 1)
        for (const int body : bodies) for_each_dof_of(m, body, [&](int i) { dofs.push_back(i); });
    sort_unique(dofs);
    return dofs;
}

[[gnu::cold]] inline void push_tendon(CompiledModel& m, const SpecTendon& t) {
    m.tendon_name.push_back(t.name);
    m.tendon_actuatorid.push_back(-1);
    m.tendon_group.push_back(t.group);
    m.tendon_limited.push_back(is_limited(t.limited, t.range));
    m.tendon_actfrclimited.push_back(is_limited(t.actfrclimited, t.actfrcrange));
    m.tendon_solref_lim.push_back(t.solref_limit);
    m.tendon_solimp_lim.push_back(t.solimp_limit);
    m.tendon_solref_fri.push_back(t.solref_friction);
    m.tendon_solimp_fri.push_back(t.solimp_friction);
    m.tendon_range.push_back(t.range);
    m.tendon_actfrcrange.push_back(t.actfrcrange);
    m.tendon_margin.push_back(t.margin);
    m.tendon_stiffness.push_back(t.stiffness[0]);
    m.tendon_stiffnesspoly.push_back({{t.stiffness[1], t.stiffness[2]}});
    m.tendon_damping.push_back(t.damping[0]);
    m.tendon_dampingpoly.push_back({{t.damping[1], t.damping[2]}});
    m.tendon_armature.push_back(t.armature);
    m.tendon_frictionloss.push_back(t.frictionloss);
    m.tendon_lengthspring.push_back(t.springlength);
}

[[gnu::cold]] inline void make_tendons(CompiledModel& m, const Spec& spec, Names& names) {
    for (SpecTendon t : spec.tendons) {
        // before MuJoCo 3.14, a range of forces did not count by itself
        if (spec.option.mujoco < 314 && t.actfrclimited == Tristate::automatic) t.actfrclimited = Tristate::no;
        const int id = m.ntendon++, first = m.nwrap;
        if (t.path.empty()) fail(t, "tendon", "the path is empty");
        for (const SpecWrap& w : t.path) push_wrap(m, t, w, names);
        const int count = m.nwrap - first;
        m.tendon_adr.push_back(first);
        m.tendon_num.push_back(count);
        if (t.path[0].type == wrap::joint) {
            for (const SpecWrap& w : t.path)
                if (w.type != wrap::joint) fail(t, "tendon", "a fixed tendon can only have joints");
        } else {
            check_spatial_path(m, t, first, count);
        }
        check_tendon_limits(t, spec.compiler);
        push_tendon(m, t);
        m.ten_J_rowadr.push_back(m.nJten);
        for (const int dof : tendon_dofs(m, id)) m.ten_J_colind.push_back(dof);
        m.ten_J_rownnz.push_back(m.ten_J_colind.size() - m.nJten);
        m.nJten = m.ten_J_colind.size();
    }
    names.set(obj::tendon, m.tendon_name, spec.where);
}

}  // namespace mjx::inner::compiler
