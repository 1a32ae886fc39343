// The work space of the library's solvers: each part is declared beside the algorithm that uses it.
//
// A solver of one's own needs none of this: it declares what it works on, borrows it (data/work.hpp), and takes from here what it calls.
#pragma once

#include "mjx/data/data.hpp"

namespace mjx::inner {

template <class S, class M>
struct IslandWork;  // island.hpp
template <class S, class M>
struct PrimalWork;  // primal.hpp
template <class S, class M>
struct OrderWork;  // hessian/elimination_order.hpp
template <class S, class M>
struct HessianWork;  // hessian/work.hpp
template <class S, class M>
struct NoslipWork;  // noslip.hpp

template <class S, class M>
struct SolverWork {
    explicit SolverWork(WorkPlace<M>* place) : islands{place} {}

    IslandWork<S, M> islands;  // first: find_islands() alone needs no more
    WorkPlace<M>* at = islands.at;
    PrimalWork<S, M> primal{at};
    OrderWork<S, M> order{at};
    HessianWork<S, M> hessian{at};
    NoslipWork<S, M> noslip{at};
};

template <class D>
auto& islands(D& d) {
    return work<IslandWork>(d);
}
template <class D>
auto& primal(D& d) {
    return work<SolverWork>(d).primal;
}
template <class D>
auto& order_work(D& d) {
    return work<SolverWork>(d).order;
}
template <class D>
auto& hessian(D& d) {
    return work<SolverWork>(d).hessian;
}
template <class D>
auto& noslip_work(D& d) {
    return work<SolverWork>(d).noslip;
}

}  // namespace mjx::inner
