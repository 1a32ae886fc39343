// The part of mjx::mjx's library that has the steps on double for machines with AVX2 (compiled.hpp).
//
// Everything here lies in mjx::wide in place of mjx::inner: what this file has compiled with further instructions is called from here alone.
#define inner wide
#include "mjx/compiled.hpp"

#include "mjx/model/model.hpp"
#include "mjx/registry.hpp"
#include "mjx/simulator.hpp"

namespace mjx::inner {

#define MJX_WIDE_DEFINED(part, name, ...)                                                                               \
    extern "C" void mjx_wide_##part##_##name(const void* model, void* data) {                                           \
        part<__VA_ARGS__>(*static_cast<const Model<double>*>(model), *static_cast<Data<double, Model<double>>*>(data)); \
    }
MJX_WIDE_STEPS(MJX_WIDE_DEFINED, PGS)
MJX_WIDE_STEPS(MJX_WIDE_DEFINED, CG)
MJX_WIDE_STEPS(MJX_WIDE_DEFINED, Newton)

}  // namespace mjx::inner
