// Work space: the arrays that an algorithm needs while it runs and nobody reads afterwards. Data has one region for all of them.
//
// An algorithm declares its arrays beside it, in a struct that lists each once with its size:
//     template <class S, class M>
//     struct SweepWork {
//         WorkPlace<M>* at;
//         template <class T, auto Size> using array = WorkArray<T, Size, S, M>;
//         array<S, Dim::nv> direction{at};                 // a size of Data's fields
//         array<int, sweep_size> order{at};                // or a function object of its own: sweep_size(m, lanes)
//     };
// and borrows them for as long as it runs; loans nest as calls do, so no algorithm needs to know who called it:
//     const auto w = borrow<SweepWork>(m, d);
//     w->direction[i] = ...
// A function deeper in the algorithm finds them again by work<SweepWork>(d), while that loan is the latest. What a borrowed array holds
// at first is undefined, and it is gone afterwards.
//
// For a fixed model the struct lies in Data as it is written; for a runtime model its arrays are places in Data's memory, found when it
// is borrowed. There is room for all that the library itself runs (integrator/work_space.hpp). A solver or an integrator says by a member
// `template <class S, class M> using work = ...` what it needs, and a Simulator of it makes the room: no more if the model is fixed.
#pragma once

#include "mjx/data/field.hpp"
#include "mjx/data/memory.hpp"
#include "mjx/math/traverse.hpp"

#include <cstddef>
#include <new>

namespace mjx::inner {

// Where the next array of a loan goes.
template <class M>
struct WorkPlace {
    const M& m;
    std::byte* next;
};

template <class M>
constexpr int work_extent(const M& m, Dim size, int lanes) {
    return extent(m, size, lanes);
}
template <class M, class Size>
constexpr int work_extent(const M& m, const Size& size, int lanes) {
    return static_cast<int>(size(m, lanes));
}

// An array of a loan. It does not keep its size, which whoever borrows it knows: a solver finds forty places each time it starts.
template <class T, auto Size, class S, class M>
struct WorkArray {
    T* first;

    explicit WorkArray(WorkPlace<M>* at) : first(reinterpret_cast<T*>(at->next)) {
        at->next += spaced(static_cast<std::size_t>(work_extent(at->m, Size, lanes_v<S>)) * sizeof(T));
    }
    T& operator[](int i) const { return first[i]; }
    T* data() const { return first; }
};
template <class T, auto Size, class S, class M>
    requires(M::is_fixed)
struct alignas(in_kernel_v<M> ? alignof(std::max_align_t) : cache_line) alignas(T) WorkArray<T, Size, S, M>
    : FixedArray<T, work_extent(constants_t<M>{}, Size, lanes_v<S>)> {
    explicit WorkArray(WorkPlace<M>*) {}
};

// The region: loans lie one on the other, `top` is where the latest starts and `end` where the next will. (Their type is one that no
// array of a loan has, so that writing to an array does not make the compiler read them again.)
struct Loans {
    long long top = 0, end = 0;
};
template <std::size_t Bytes>
struct FixedRegion : Loans {
    static constexpr std::size_t size = Bytes;
    alignas(cache_line) std::byte bytes[Bytes];
};
struct HeapRegion : Loans {
    std::byte* bytes = nullptr;
    std::size_t size = 0;
};

// A loan, from its making to the end of its scope.
template <class W, class Region>
class Loan {
  public:
    template <class M>
    Loan(const M& m, Region& region) : region_(region), before_(region) {
        std::byte* const start = region.bytes + region.end;
        std::byte* end = start + (M::is_fixed ? whole_lines(sizeof(W)) : spaced(sizeof(W)));
        if constexpr (M::is_fixed) {
            static_assert(sizeof(W) <= Region::size, "this Data has no room for the work of this algorithm: see data/work.hpp");
        } else {
            WorkPlace<M> place{m, end};
            ::new (static_cast<void*>(start)) W{&place};
            end = place.next;
        }
        region.top = region.end;
        region.end = end - region.bytes;
        if (static_cast<std::size_t>(region.end) > region.size) __builtin_trap();  // more than the algorithms said they need
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { static_cast<Loans&>(region_) = before_; }

    W& operator*() const { return *operator->(); }
    W* operator->() const { return reinterpret_cast<W*>(region_.bytes + before_.end); }

  private:
    Region& region_;
    Loans before_;
};

template <template <class, class> class W, class M, class D>
auto borrow(const M& m, D& d) {
    return Loan<W<typename D::scalar, M>, decltype(d.work)>(m, d.work);
}
// The latest loan.
template <template <class, class> class W, class D>
auto& work(D& d) {
    return *reinterpret_cast<W<typename D::scalar, typename D::model>*>(d.work.bytes + d.work.top);
}
template <template <class, class> class W, class D>
const auto& work(const D& d) {
    return *reinterpret_cast<const W<typename D::scalar, typename D::model>*>(d.work.bytes + d.work.top);
}

// The bytes of a loan.
template <class W, class M>
constexpr std::size_t loan_bytes(const M& m) {
    if constexpr (M::is_fixed) {
        return whole_lines(sizeof(W));
    } else {
        std::byte* const somewhere = reinterpret_cast<std::byte*>(cache_line);  // nothing is written there
        WorkPlace<M> place{m, somewhere};
        [[maybe_unused]] const W w{&place};
        return spaced(sizeof(W)) + static_cast<std::size_t>(place.next - somewhere);
    }
}
// Of what an integrator or a solver works on.
template <class Part, class S, class M>
constexpr std::size_t work_bytes(const M& m) {
    if constexpr (requires { typename Part::template work<S, M>; })
        return loan_bytes<typename Part::template work<S, M>>(m);
    else
        return 0;
}

// The spaces that a Data may have. What they hold is known where the algorithms are: integrator/work_space.hpp has their bytes, and whoever
// makes a Data includes it.
//
// Room for whatever the library runs, and for an integrator and a solver of one's own, with their bytes.
struct standard_space {
    static constexpr Dim cached = Dim::nconmax;  // contacts that a solver remembers
    template <class M>
    static constexpr Dim slopes = Dim::nM;
    template <class S, class M>
    static constexpr std::size_t bytes(const M& m, std::size_t integrates = 0, std::size_t solves = 0);
};
// Room for one integrator, one solver, the stages and inverse dynamics: what a Simulator of a fixed model has, and a kernel.
template <class Integrator, class Solver>
struct lean_space {
    using solver = Solver;
    static constexpr Dim cached = [] {
        if constexpr (requires { Solver::remembers_contacts; })
            return Solver::remembers_contacts ? Dim::nconmax : Dim::none;
        else
            return Dim::none;
    }();
    // Derivatives of forces by velocities: kernels have them for the integrators that take them, everybody else for derivatives of steps.
    template <class M>
    static constexpr Dim slopes = in_kernel_v<M> && !Integrator::keeps_slopes ? Dim::none : Dim::nM;
    template <class S, class M>
    static constexpr std::size_t bytes(const M& m);
};

}  // namespace mjx::inner
