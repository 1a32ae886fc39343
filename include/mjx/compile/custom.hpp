// Custom fields and keyframes.
#pragma once

#include "mjx/compile/names.hpp"

#include <cmath>

namespace mjx::inner::compiler {

[[gnu::cold]] inline void make_custom(CompiledModel& m, const Spec& spec, Names& names) {
    for (const SpecNumeric& n : spec.numerics) {
        if (n.data.empty()) fail(n, "numeric", "size cannot be zero");
        ++m.nnumeric;
        m.numeric_name.push_back(n.name);
        m.numeric_adr.push_back(m.numeric_data.size());
        m.numeric_size.push_back(static_cast<int>(n.data.size()));
        for (const double x : n.data) m.numeric_data.push_back(x);
    }
    names.set(obj::numeric, m.numeric_name, spec.where);
    for (const SpecText& t : spec.texts) {
        if (t.data.empty()) fail(t, "text", "data cannot be empty");
        m.text_name.push_back(t.name);
        m.text_data.push_back(t.data);
    }
    names.set(obj::text, m.text_name, spec.where);
}

// After everything a tuple can list.
[[gnu::cold]] inline void make_tuples(CompiledModel& m, const Spec& spec, Names& names) {
    Array<std::string> tuple_names;
    for (const SpecTuple& t : spec.tuples) tuple_names.push_back(t.name);
    names.set(obj::tuple, tuple_names, spec.where);
    m.tuple_name = tuple_names;
    for (const SpecTuple& t : spec.tuples) {
        if (t.entries.empty()) fail(t, "tuple", "has no element");
        ++m.ntuple;
        m.tuple_adr.push_back(m.tuple_objid.size());
        m.tuple_size.push_back(static_cast<int>(t.entries.size()));
        for (const SpecTuple::Entry& e : t.entries) {
            m.tuple_objtype.push_back(e.objtype);
            m.tuple_objid.push_back(names.require(e.objtype, e.objname, t, "tuple"));
            m.tuple_objprm.push_back(e.prm);
        }
    }
}

// The given numbers over those of a model at rest; a keyframe may say less than the model needs but not more.
[[gnu::cold]] inline List<double> key_values(const SpecKey& key, const char* what, const List<double>& given, List<double> rest) {
    if (given.size() > rest.size())
        fail(key, "key", {what, " has ", std::to_string(given.size()), " numbers, expected ", std::to_string(rest.size())});
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!std::isnan(given[i])) rest[i] = given[i];
    return rest;
}
inline List<double> zeros(int n) { return List<double>(static_cast<std::size_t>(n), 0.0); }

[[gnu::cold]] inline void normalize_quats(const CompiledModel& m, List<double>& qpos) {
    for (int j = 0; j < m.njnt; ++j) {
        if (m.kind(j).rotation < 0) continue;
        double* first = qpos.data() + m.jnt_qposadr[j] + m.kind(j).rotation;
        store(first, 0, normalize(quat_at(first, 0)));
    }
}

[[gnu::cold]] inline void push_key(CompiledModel& m, const SpecKey& key) {
    const auto append = [](auto& table, const List<double>& values) {
        for (const double x : values) table.push_back(x);
    };
    List<double> rest_qpos, rest_mpos, rest_mquat;
    for (int i = 0; i < m.nq; ++i) rest_qpos.push_back(m.qpos0[i]);
    for (int b = 0; b < m.nbody; ++b) {
        if (m.body_mocapid[b] < 0) continue;
        for (int k = 0; k < 3; ++k) rest_mpos.push_back(m.body_pos[b][k]);
        for (int k = 0; k < 4; ++k) rest_mquat.push_back(m.body_quat[b][k]);
    }
    m.key_name.push_back(key.name);
    m.key_time.push_back(key.time);
    auto qpos = key_values(key, "qpos", key.qpos, rest_qpos);
    normalize_quats(m, qpos);
    append(m.key_qpos, qpos);
    append(m.key_qvel, key_values(key, "qvel", key.qvel, zeros(m.nv)));
    append(m.key_act, key_values(key, "act", key.act, zeros(m.na)));
    append(m.key_ctrl, key_values(key, "ctrl", key.ctrl, zeros(m.nu)));
    const auto pos = key_values(key, "mpos", key.mpos, rest_mpos), quat = key_values(key, "mquat", key.mquat, rest_mquat);
    for (int i = 0; i < m.nmocap; ++i) {
        m.key_mpos.push_back(vec3_at(pos.data(), 3 * i));
        m.key_mquat.push_back(normalize(quat_at(quat.data(), 4 * i)));
    }
}

[[gnu::cold]] inline void make_keys(CompiledModel& m, const Spec& spec, Names& names) {
    const auto keys = std::max(spec.keys.size(), static_cast<std::size_t>(std::max(spec.nkey, 0)));
    const auto each = static_cast<std::size_t>(1 + m.nq + m.nv + m.na + m.nu + 7 * m.nmocap);
    if (keys > spec.budget.numbers / each)
        fail(spec.where, {"size nkey: ", std::to_string(keys), " keyframes of ", std::to_string(each), " numbers are ",
                          over_budget(spec.budget.numbers, "numbers")});
    for (const SpecKey& key : spec.keys) push_key(m, key);
    while (m.key_time.size() < spec.nkey) push_key(m, {});
    m.nkey = m.key_time.size();
    names.set(obj::key, m.key_name, spec.where);
}

}  // namespace mjx::inner::compiler
