// Loops over the bodies and dofs of a model: plain loops, or straight-line code for a fixed model and a plain scalar.
//
//     over_bodies<S>(m, [&](auto b) { ... m.body_parentid[b] ... });
// In straight-line code the index is a constant, so table entries, addresses and inner trip counts are constants too: worth
// about 1.5 times for `double` on a humanoid. Packs hide the lookups behind their arithmetic and large models would only bloat, so
// both keep the loop. The order of operations is the same either way.
#pragma once

#include "mjx/scalar/scalar.hpp"

#include <utility>

namespace mjx {

template <class S, class M>
constexpr bool is_unrolled() {
    if constexpr (M::is_fixed)
        return std::floating_point<S> && M::nv <= 64 && M::nbody <= 64 && M::nactuator <= 64;
    else
        return false;
}

// f(First), f(First + Step), ... as constants.
template <int First, int Step, class F, int... I>
[[gnu::always_inline]] inline void over_constants(F& f, std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, First + Step * I>{}), ...);
}

template <class S, class M, class F>
void over_dofs(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<0, 1>(f, std::make_integer_sequence<int, M::nv>{});
    else
        for (int i = 0; i < m.nv; ++i) f(i);
}
// From the leaves to the roots.
template <class S, class M, class F>
void over_dofs_back(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<M::nv - 1, -1>(f, std::make_integer_sequence<int, M::nv>{});
    else
        for (int i = m.nv - 1; i >= 0; --i) f(i);
}
// The dofs that dof i moves, other than itself, the last first: what depends on the dofs nearest to i comes last, so that a
// processor can start before they are done. The index i is what over_dofs gave: an int or a constant.
template <class M, class Index, class F>
[[gnu::always_inline]] inline void over_dofs_below(const M& m, Index i, F&& f) {
    if constexpr (std::same_as<Index, int>)
        for (int k = i + m.dof_subtreenum[i] - 1; k > i; --k) f(k);
    else
        over_constants<Index::value + M::dof_subtreenum[Index::value] - 1, -1>(
            f, std::make_integer_sequence<int, M::dof_subtreenum[Index::value] - 1>{});
}
template <class S, class M, class F>
void over_joints(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<0, 1>(f, std::make_integer_sequence<int, M::njnt>{});
    else
        for (int j = 0; j < m.njnt; ++j) f(j);
}
template <class S, class M, class F>
void over_actuators(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<0, 1>(f, std::make_integer_sequence<int, M::nactuator>{});
    else
        for (int i = 0; i < m.nactuator; ++i) f(i);
}
// The world is left out: parents before children, or children before parents.
template <class S, class M, class F>
void over_bodies(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<1, 1>(f, std::make_integer_sequence<int, M::nbody - 1>{});
    else
        for (int b = 1; b < m.nbody; ++b) f(b);
}
template <class S, class M, class F>
void over_bodies_back(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<M::nbody - 1, -1>(f, std::make_integer_sequence<int, M::nbody - 1>{});
    else
        for (int b = m.nbody - 1; b > 0; --b) f(b);
}

}  // namespace mjx
