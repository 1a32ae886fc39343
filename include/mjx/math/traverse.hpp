// Loops over the bodies and dofs of a model: plain loops, or straight-line code for a fixed model and a plain scalar.
//
//     over_bodies<S>(m, [&](auto b) { ... m.body_parentid[b] ... });
// In straight-line code the index is a constant, so table entries, addresses and inner trip counts are constants too: worth
// about 1.5 times for `double` on a humanoid. Packs hide the lookups behind their arithmetic and large models would only bloat, so
// both keep the loop. The order of operations is the same either way.
#pragma once

#include "mjx/scalar/scalar.hpp"

#include <type_traits>
#include <utility>

namespace mjx::inner {

// Whether the model is one for kernels (model/kernel_model.hpp), whose code should be small.
template <class M>
inline constexpr bool in_kernel_v = requires { requires M::in_kernel; };

// The type that a model has under a name, or else Default; Named<M> is that name.
template <template <class> class Named, class M, class Default>
struct named_or {
    using type = Default;
};
template <template <class> class Named, class M, class Default>
    requires requires { typename Named<M>; }
struct named_or<Named, M, Default> {
    using type = Named<M>;
};

// What is constant of a fixed model: all of it, unless environments have tables of their own (model/own_model.hpp).
template <class M>
using named_constants = typename M::constants;
template <class M>
using constants_t = typename named_or<named_constants, M, M>::type;
template <class M>
inline constexpr bool has_own_tables = !std::is_same_v<M, constants_t<M>>;

// F(m, args...), of which a kernel has one copy however often it is called: for what is large and called from many places. Compilers of
// kernels copy functions that are not to be inlined all the same (AdaptiveCpp: alwaysinline), but leave calls alone that say so.
template <auto F, class M, class... Args>
[[gnu::always_inline]] inline decltype(auto) call_one_copy(const M& m, Args&&... args) {
#if defined(__clang__) && __clang_major__ >= 15
    if constexpr (in_kernel_v<M>) {
        [[clang::noinline]] return F(m, args...);
    }
#endif
    return F(m, args...);
}

template <class S, class M>
constexpr bool is_unrolled() {
    if constexpr (M::is_fixed && !in_kernel_v<M>)
        return std::floating_point<S> && M::nv <= 64 && M::nbody <= 64 && M::ngeom <= 64 && M::nactuator <= 64;
    else
        return false;
}

// Whether a fact about object i is one of the constants: it is none where the environment's own tables are asked.
template <class M, class Index, class Fact>
concept constant_fact = std::same_as<M, constants_t<M>> || requires { typename std::bool_constant<(Fact{}(M{}, Index::value), true)>; };

// What the model says of object i, as a constant where i is one.
template <class M, class Index, class Fact>
constexpr auto known(const M& m, Index i, Fact fact) {
    if constexpr (std::same_as<Index, int>)
        return fact(m, i);
    else if constexpr (!constant_fact<M, Index, Fact>)
        return fact(m, Index::value);
    else
        return std::integral_constant<decltype(fact(m, 0)), fact(M{}, Index::value)>{};
}
// f(true or false as a constant); of what is known, f is compiled for the one that holds.
template <class F>
[[gnu::always_inline]] inline void with_truth(bool holds, F&& f) {
    if (holds)
        f(std::true_type{});
    else
        f(std::false_type{});
}
template <bool Holds, class F>
[[gnu::always_inline]] inline void with_truth(std::bool_constant<Holds> holds, F&& f) {
    f(holds);
}

// f(First), f(First + Step), ... as constants.
template <int First, int Step, class F, int... I>
[[gnu::always_inline]] inline void over_constants(F& f, std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, First + Step * I>{}), ...);
}
// f(0) ... f(Count - 1) as constants, so that small arrays become registers.
template <int Count, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
    over_constants<0, 1>(f, std::make_integer_sequence<int, Count>{});
}

template <class S, class M, class F>
void over_dofs(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<0, 1>(f, std::make_integer_sequence<int, M::nv>{});
    else
        for (int i = 0; i < m.nv; ++i) f(i);
}
// Whether dof i moves dof i + 1 and nothing but what that moves in turn.
template <class M>
constexpr bool moves_next_alone(const M& m, int i) {
    return i >= 0 && m.dof_subtreenum[i] > 1 && m.dof_subtreenum[i] == m.dof_subtreenum[i + 1] + 1;
}
// The first dof of the pair, or the single dof, that i belongs to when dofs are paired along chains from the leaves on.
template <class M>
constexpr int pair_begin(const M& m, int i) {
    for (int last = m.nv - 1;; --last) {
        if (moves_next_alone(m, last - 1)) --last;
        if (last <= i) return last;
    }
}
// f(i, 2) when i begins a pair, f(i, 1) when it is single, for a constant i.
template <class M, class Index, class F>
[[gnu::always_inline]] inline void visit_pair(Index i, F& f) {
    constexpr int count = Index::value + 1 < M::nv && pair_begin(constants_t<M>{}, Index::value + 1) == Index::value ? 2 : 1;
    if constexpr (pair_begin(constants_t<M>{}, Index::value) == Index::value) f(i, std::integral_constant<int, count>{});
}
// From the leaves to the roots, two at a time along chains: f(i, 2) for dof i and the next when i moves nothing else, f(i, 1) otherwise.
template <class S, class M, class F>
void over_dof_pairs_back(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>()) {
        auto visit = [&](auto i) __attribute__((always_inline)) { visit_pair<M>(i, f); };
        over_constants<M::nv - 1, -1>(visit, std::make_integer_sequence<int, M::nv>{});
    } else {
        for (int i = m.nv - 1; i >= 0; --i) {
            if (moves_next_alone(m, i - 1))
                f(--i, std::integral_constant<int, 2>{});
            else
                f(i, std::integral_constant<int, 1>{});
        }
    }
}
// From the roots to the leaves. Chains of odd length may be paired otherwise.
template <class S, class M, class F>
void over_dof_pairs(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>()) {
        auto visit = [&](auto i) __attribute__((always_inline)) { visit_pair<M>(i, f); };
        over_constants<0, 1>(visit, std::make_integer_sequence<int, M::nv>{});
    } else {
        for (int i = 0; i < m.nv; ++i) {
            if (moves_next_alone(m, i))
                f(i++, std::integral_constant<int, 2>{});
            else
                f(i, std::integral_constant<int, 1>{});
        }
    }
}
// The dofs that dof i moves, other than itself and the Skip - 1 that follow it, the last first: what depends on the dofs nearest to i
// comes last, so that a processor can start before they are done. The index i is what over_dofs gave: an int or a constant.
template <int Skip, class M, class Index, class F>
[[gnu::always_inline]] inline void over_dofs_below(const M& m, Index i, F&& f) {
    if constexpr (std::same_as<Index, int>)
        for (int k = i + m.dof_subtreenum[i] - 1; k >= i + Skip; --k) f(k);
    else
        over_constants<Index::value + M::dof_subtreenum[Index::value] - 1, -1>(
            f, std::make_integer_sequence<int, M::dof_subtreenum[Index::value] - Skip>{});
}
template <class S, class M, class F>
void over_joints(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<0, 1>(f, std::make_integer_sequence<int, M::njnt>{});
    else
        for (int j = 0; j < m.njnt; ++j) f(j);
}
// The joints of body b, which is what over_bodies gave: an int or a constant.
template <class M, class Index, class F>
[[gnu::always_inline]] inline void over_joints_of(const M& m, Index b, F&& f) {
    if constexpr (std::same_as<Index, int>)
        for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) f(j);
    else
        over_constants<M::body_jntadr[Index::value], 1>(f, std::make_integer_sequence<int, M::body_jntnum[Index::value]>{});
}
template <class S, class M, class F>
void over_geoms(const M& m, F&& f) {
    if constexpr (is_unrolled<S, M>())
        over_constants<0, 1>(f, std::make_integer_sequence<int, M::ngeom>{});
    else
        for (int g = 0; g < m.ngeom; ++g) f(g);
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

}  // namespace mjx::inner
