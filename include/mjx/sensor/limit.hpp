// Sensors of joint and tendon limits: what a limit's constraint row says.
//
// Reads   efc_type, efc_id, efc_D and the value asked for
#pragma once

#include "mjx/model/types.hpp"
#include "mjx/scalar/scalar.hpp"

namespace mjx::inner {

// value(row) of the first active limit row (type: cnstr::) of joint or tendon `id` in each lane; 0 where no limit is active.
template <class D, class F>
auto limit_value(const D& d, int type, int id, F&& value) {
    using S = typename D::scalar;
    S result(0);
    mask_t<S> open(true);
    for (int row = d.ne + d.nf; row < d.nefc; ++row) {
        if (d.efc_type[row] != type || d.efc_id[row] != id) continue;
        const auto here = open && d.efc_D[row] != S(0);
        result = select(here, S(value(row)), result);
        open = open && !here;
    }
    return result;
}

}  // namespace mjx::inner
