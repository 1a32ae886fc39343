// What Newton's Hessian is kept in, whatever its form: entries, factor, and where each entry is.
#pragma once

#include "mjx/constraint/lane_rows.hpp"
#include "mjx/data/work.hpp"

#include <type_traits>

namespace mjx::inner {

// The entries of Newton's Hessian with its fill: a full triangle, its rows padded to registers, unless there are many dofs.
struct HessianSize {
    template <class M>
    constexpr int operator()(const M& m, int = 1) const {
        const long long nv = m.nv, triangle = nv * (nv + 1) / 2 + 3 * nv, bounded = m.nM + 512 * nv;
        return static_cast<int>(triangle < bounded ? triangle : bounded);
    }
};
inline constexpr HessianSize hessian_size;

// Columns of the entries, and what is in their place where nobody lists them: what would read them does not compile.
template <class S, class M>
using HessianColumns = WorkArray<int, hessian_size, S, M>;
struct NoColumns {
    explicit NoColumns(const void*) {}
};

// Newton lists the columns of lanes and of many dofs; derivatives of a solution those of any model. Who else does (Discrete) brings the
// place for them where the Hessian has none.
template <class S, class M>
inline constexpr bool lists_columns = lanes_v<S> > 1 || has_derivative<S> || !has_few_dofs<M>();
template <class S, class M>
using NewtonColumns = std::conditional_t<lists_columns<S, M>, HessianColumns<S, M>, NoColumns>;
template <class S, class M>
using OtherColumns = std::conditional_t<lists_columns<S, M>, NoColumns, HessianColumns<S, M>>;

struct DofBitsSize {
    template <class M>
    constexpr int operator()(const M& m, int) const {
        return m.nv * ((m.nv + 63) / 64);
    }
};
inline constexpr DofBitsSize dof_bits_size;

// Words of bits for the rows of a pack's Hessian (lanes.hpp).
struct LaneBitsSize {
    template <class M>
    constexpr int operator()(const M& m, int lanes) const {
        return lanes > 1 && m.nv <= max_lane_dofs ? m.nv : 0;
    }
};
inline constexpr LaneBitsSize lane_bits_size;

template <class S, class M>
struct HessianWork {
    WorkPlace<M>* at;
    using T = value_part_t<S>;
    template <class U, auto Size>
    using array = WorkArray<U, Size, S, M>;
    array<T, hessian_size> H{at};
    array<T, hessian_size> L{at};  // its factor
    array<T, Dim::nv> DiagInv{at};
    array<T, Dim::njmax> weight{at};  // of the rows in H
    array<T, Dim::nv> row{at};        // one that is added to the factor (stiff.hpp)
    [[no_unique_address]] NewtonColumns<S, M> colind{at};
    array<int, Dim::nv> rowadr{at};
    array<int, Dim::nv> rownnz{at};
    array<int, Dim::nv> place{at};  // where each dof comes in the order of elimination, from the last to the first
    array<int, Dim::nv> dof{at};    // the dof at each place
    array<std::uint64_t, dof_bits_size> bits{at};  // columns of each row
    array<std::uint64_t, lane_bits_size> below{at};  // the rows below each that have a column for it
};

}  // namespace mjx::inner
