// Which kinematic trees may sleep when the model leaves it open: those that no actuator moves and no tendon couples to others in a
// way that would wake them anyway.
#pragma once

#include "mjx/compile/names.hpp"
#include "mjx/model/tendon_path.hpp"

namespace mjx::inner::compiler {

// Trees that a tendon's path touches.
[[gnu::cold]] inline List<int> tendon_trees(const CompiledModel& m, int t) {
    List<int> trees;
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
        const int body = wrap_body(m, w);
        if (body >= 0 && m.body_treeid[body] >= 0) trees.push_back(m.body_treeid[body]);
    }
    sort_unique(trees);
    return trees;
}

[[gnu::cold]] inline List<int> actuator_trees(const CompiledModel& m, int i) {
    if (drives_tendon(m.actuator_trntype[i])) return tendon_trees(m, m.actuator_trnid[i][0]);
    const int tree = m.body_treeid[transmission_body(m, i)];
    return tree >= 0 ? List<int>{tree} : List<int>{};
}

// Does the tendon make its trees move each other even without constraints?
[[gnu::cold]] inline bool couples_trees(const CompiledModel& m, int t, std::size_t trees) {
    const auto zero = [](const Vec<double, npoly>& p) { return p[0] == 0 && p[1] == 0; };
    const bool passive = m.tendon_stiffness[t] == 0 && zero(m.tendon_stiffnesspoly[t]) && m.tendon_damping[t] == 0 &&
                         zero(m.tendon_dampingpoly[t]) && m.tendon_actuatorid[t] == -1;
    return trees > 2 || (trees == 2 && !passive);
}

[[gnu::cold]] inline void set_sleep_policy(CompiledModel& m, const Spec& spec) {
    auto& policy = m.tree_sleep_policy;
    const auto keep_awake = [&](int tree) {
        if (policy[tree] == sleep_policy::automatic) policy[tree] = sleep_policy::auto_never;
    };
    for (int i = 0; i < m.nactuator; ++i)
        for (const int tree : actuator_trees(m, i)) keep_awake(tree);
    int t = 0;
    for (const SpecTendon& element : spec.tendons) {
        const List<int> trees = tendon_trees(m, t);
        if (couples_trees(m, t, trees.size()))
            for (const int tree : trees) {
                if (policy[tree] == sleep_policy::allowed || policy[tree] == sleep_policy::init)
                    fail(element, "tendon", "connects trees in a way that does not let them sleep, but one of them is told to");
                keep_awake(tree);
            }
        ++t;
    }
    for (int& p : policy)
        if (p == sleep_policy::automatic) p = sleep_policy::auto_allowed;
}

}  // namespace mjx::inner::compiler
