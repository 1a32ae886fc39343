// compile(spec): a Spec becomes a Model, with MuJoCo's ids, defaults, checks and derived constants.
//
// Anything wrong is a model_error that names the element. passes.hpp has the passes, and compile<Joints>(spec) for sets of joints.
//
// Where MJX_COMPILED is defined, the definition is in a library (compiled.hpp) and this header is one declaration.
#pragma once

#include "mjx/model/model.hpp"
#include "mjx/model/shape/user.hpp"
#include "mjx/model/spec.hpp"

namespace mjx::inner {

Model<double> compile(const Spec& spec);

// With shapes of the user's own: auto model = compile<RoundedBox>(spec).
template <convex_shape First, convex_shape... Others>
WithShapes<Model<double>, First, Others...> compile(Spec spec) {
    spec.shapes = {shape_row<UserShape<First>>(), shape_row<UserShape<Others>>()...};
    return compile(static_cast<const Spec&>(spec));
}

// What is neither.
template <class First, class... Others>
    requires(!(requires { First::kinds; } || convex_shape<First>) || !(convex_shape<Others> && ...))
void compile(const Spec&) {
    static_assert(
        sizeof...(Others) + 1 == 0,
        "mjx::compile takes a joint_set, shapes of your own, or a joint_set and shapes after it; a shape has int type, int sizes, "
        "const char* name and support(size, dir) for Vec3 of numbers and of duals");
}

}  // namespace mjx::inner

#ifndef MJX_COMPILED

#include "mjx/compile/passes.hpp"

namespace mjx::inner {

inline Model<double> compile(const Spec& spec) { return compile<all_joints>(spec); }

}  // namespace mjx::inner

#endif
