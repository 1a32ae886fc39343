// Unconstrained: no constraint forces at all, for models without contacts and limits or to study the smooth dynamics.
//
// Reads   qacc_smooth
// Writes  qacc, qfrc_constraint
#pragma once

#include "mjx/scalar/scalar.hpp"

namespace mjx::inner {

struct Unconstrained {
    static constexpr int type = -1;
    static constexpr const char* name = "Unconstrained";
    static constexpr bool unconstrained = true;

    template <class M, class D>
    static void solve(const M& m, D& d) {
        for (int i = 0; i < m.nv; ++i) {
            d.qacc[i] = d.qacc_smooth[i];
            d.qfrc_constraint[i] = typename D::scalar(0);
        }
    }
};

}  // namespace mjx::inner
