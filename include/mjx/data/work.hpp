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
// is borrowed. There is room for all that the library itself runs (standard_space). A solver or an integrator says by a member
// `template <class S, class M> using work = ...` what it needs, and a Simulator of it makes the room: no more if the model is fixed.
#pragma once

#include "mjx/data/field.hpp"
#include "mjx/data/memory.hpp"
#include "mjx/math/spatial.hpp"
#include "mjx/math/traverse.hpp"
#include "mjx/model/equality_kinds.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

// At most how many dofs a tendon depends on, with their ancestors.
template <class M>
constexpr int tendon_chain(const M& m, int t) {
    const int end = m.ten_J_rowadr[t] + m.ten_J_rownnz[t];
    int sum = 0;
    for (int k = m.ten_J_rowadr[t]; k < end; ++k)
        if (k + 1 == end || m.dof_parentid[m.ten_J_colind[k + 1]] != m.ten_J_colind[k]) sum += m.M_rownnz[m.ten_J_colind[k]];
    return sum < m.nv ? sum : m.nv;
}

// The entries of Newton's Hessian with its fill: a full triangle, its rows padded to registers, unless there are many dofs.
struct HessianSize {
    template <class M>
    constexpr int operator()(const M& m, int = 1) const {
        const long long nv = m.nv, triangle = nv * (nv + 1) / 2 + 3 * nv, bounded = m.nM + 512 * nv;
        return static_cast<int>(triangle < bounded ? triangle : bounded);
    }
};
inline constexpr HessianSize hessian_size;

// The entries of the rows J M^(-1/2) of the solvers in force space, each over the chains of two bodies or along a tendon (its limits, its
// friction, its equalities), and their products within a block.
struct ForceRowsSize {
    template <class M>
    constexpr long long operator()(const M& m, int lanes) const {
        int chain = 0;
        for (int b = 0; b < m.nbody; ++b) chain = chain < m.B_rownnz[b] ? m.B_rownnz[b] : chain;
        const int widest = 2 * chain < m.nv ? 2 * chain : m.nv;
        long long rows = static_cast<long long>(shared_rows(m, lanes)) * (widest + (lanes > 1 ? 6 : 9));
        for (int t = 0; t < m.ntendon; ++t) rows += 3 * tendon_chain(m, t);
        for (int e = 0; e < m.neq; ++e)
            if (ties_tendons(m.eq_type[e]))
                rows += tendon_chain(m, m.eq_obj1id[e]) + (m.eq_obj2id[e] >= 0 ? tendon_chain(m, m.eq_obj2id[e]) : 0);
        return rows;
    }
};
inline constexpr ForceRowsSize force_rows_size;

// Bytes for the broad phase of n geoms: their boxes, blocks of eight boxes of floats, and lists (BroadWork).
template <class S>
constexpr std::size_t broad_bytes(int n) {
    const auto count = [](int k) { return static_cast<std::size_t>(k); };
    return n > 0 ? count(n) * (2 * sizeof(Vec6<value_t<S>>) + 68 * sizeof(int)) + count(n / 7 + 10) * 48 * sizeof(float) : 0;
}

// Bytes for whatever the library runs, array by array: an integrator's loan lasts while it calls forward, delayed sensors and inverse
// dynamics have theirs while they call stages, and above them is the largest of the stages' and the solvers'.
struct standard_space {
    static constexpr Dim cached = Dim::nconmax;  // contacts that a solver remembers
    template <class M>
    static constexpr Dim slopes = Dim::nM;
    // For an integrator and a solver of one's own, with their bytes.
    template <class S, class M>
    static constexpr std::size_t bytes(const M& m, std::size_t integrates = 0, std::size_t solves = 0) {
        using T = value_part_t<S>;
        constexpr int lanes = lanes_v<S>;
        constexpr std::size_t number = sizeof(T), integer = sizeof(int), bits = sizeof(std::uint64_t);
        const auto count = [](long long n) { return static_cast<std::size_t>(n); };
        const std::size_t nv = count(m.nv), nbody = count(m.nbody), ntree = count(m.ntree), rows = count(shared_rows(m, lanes));
        const std::size_t hessian = count(hessian_size(m)), force_rows = count(force_rows_size(m, lanes));
        // RK4Work, ImplicitWork, EffectiveWork
        const std::size_t integrator = sizeof(S) * (count(m.nq) + 4 * nv + 2 * count(m.na) + count(m.nM));
        // RecordWork, InverseWork
        const std::size_t caller = sizeof(S) * (count(m.nsensordata) + nv) + number * (rows + 2 * nv);
        // BiasWork with FrameWork, RneWork, MomentumWork, AngleWork; PenaltyWork; BroadWork; NearWork
        const std::size_t stage = sizeof(S) * (21 * nbody + 12 * nv + count(m.njnt)), penalty = sizeof(S) * (2 * rows + nv);
        const std::size_t broad = broad_bytes<S>(m.nbroad);
        const std::size_t near = (nbody + 2 * count(m.ngeom)) * 8 * sizeof(float) + count(m.ngeom) * integer;
        // SolverWork: IslandWork, PrimalWork, OrderWork, HessianWork, NoslipWork; and ForceWork
        const std::size_t solver = number * (12 * rows + 14 * nv + ntree + 2 * hessian + force_rows) + sizeof(S) * nv +
                                   integer * (9 * rows + 5 * nv + 8 * ntree + hessian + force_rows) +
                                   bits * (nv * ((nv + 63) / 64) + ntree * ((ntree + 63) / 64) + 2 * nv + rows);
        std::size_t most = stage;
        for (const std::size_t other : {penalty, broad, near, solver, solves}) most = most < other ? other : most;
        // arrays of runtime models start at lines of the cache, and large ones some lines further on; the rest is address space
        constexpr std::size_t arrays = 64, apart = M::is_fixed ? 1 : 72;
        return spaced(arrays * apart * cache_line + (integrator < integrates ? integrates : integrator) + caller + most);
    }
};
// Bytes for one integrator, one solver, the stages and inverse dynamics: what a Simulator of a fixed model has, and a kernel.
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

// The bytes that an integrator or a solver works on.
template <class Part, class S, class M>
constexpr std::size_t work_bytes(const M& m) {
    if constexpr (requires { typename Part::template work<S, M>; }) {
        using W = typename Part::template work<S, M>;
        if constexpr (M::is_fixed) {
            return whole_lines(sizeof(W));
        } else {
            std::byte* const somewhere = reinterpret_cast<std::byte*>(cache_line);  // nothing is written there
            WorkPlace<M> place{m, somewhere};
            [[maybe_unused]] const W w{&place};
            return spaced(sizeof(W)) + static_cast<std::size_t>(place.next - somewhere);
        }
    } else {
        return 0;
    }
}

template <class Integrator, class Solver>
template <class S, class M>
constexpr std::size_t lean_space<Integrator, Solver>::bytes(const M& m) {
    if (m.opt.noslip_iterations > 0) return standard_space::bytes<S>(m, work_bytes<Integrator, S>(m), work_bytes<Solver, S>(m));
    const auto count = [](long long n) { return static_cast<std::size_t>(n); };
    const std::size_t nv = count(m.nv), rows = count(shared_rows(m, lanes_v<S>)), solver = work_bytes<Solver, S>(m);
    const std::size_t asleep = sizeof(S) * (count(m.nq) + nv), inverse = sizeof(S) * nv + sizeof(value_part_t<S>) * (rows + 2 * nv);
    const auto loan = [](std::size_t bytes) { return whole_lines(bytes + 8 * cache_line); };  // of a few arrays, each at a line
    std::size_t caller = loan(sizeof(S) * count(m.nsensordata)) + loan(asleep < inverse ? inverse : asleep);
    if (in_kernel_v<M>)  // no inverse dynamics there
        caller = (m.nhistory > 0 ? loan(sizeof(S) * count(m.nsensordata)) : 0) + (m.opt.enabled(enable::sleep) ? loan(asleep) : 0);
    const std::size_t stage = loan(sizeof(S) * (21 * count(m.nbody) + 12 * nv + count(m.njnt)));
    const std::size_t broad = loan(broad_bytes<S>(m.nbroad));
    const std::size_t near = loan(count(m.nbody + 2 * m.ngeom) * 8 * sizeof(float) + count(m.ngeom) * sizeof(int));
    std::size_t most = solver;
    for (const std::size_t other : {stage, broad, near}) most = most < other ? other : most;
    return work_bytes<Integrator, S>(m) + caller + most;
}

}  // namespace mjx::inner
