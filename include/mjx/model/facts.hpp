// What a program knows of its model when it is compiled: all of a fixed model, nothing of a runtime one.
//
//     if constexpr (may<M>([](const auto& m) { return m.opt.noslip_iterations > 0; })) noslip(m, d);
//
// Code for what a fixed model never does is not compiled. Of a runtime model anything may be true.
#pragma once

namespace mjx::inner {

template <class M, class Fact>
constexpr bool may(Fact fact) {
    if constexpr (M::is_fixed)
        return fact(M{});
    else
        return true;
}

// A fixed model as kernels of a device have it. Their compilers put all that is called into one function, at each place it is called
// from: where code for one environment is straight-line or there for each of several sizes, a kernel has loops (in_kernel_v). The results
// are the same.
template <class M>
struct InKernel : M {
    static constexpr bool in_kernel = true;
    template <class Real>
    using rebind = InKernel<typename M::template rebind<Real>>;
};
}  // namespace mjx::inner
