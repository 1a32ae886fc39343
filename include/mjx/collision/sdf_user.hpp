// WithField<Field, Model>: a model whose geoms with the field "user" are shaped by a functor of yours, which is a template parameter:
// its code is compiled into the search for contacts and into rays, and differentiated with duals.
//
//     struct Dish {                                   // negative inside, in the frame of the geom
//         template <class S, class P>
//         S operator()(const mjx::Vec3<S>& p, const P& params) const { return p[2] - params[0] * (p[0] * p[0] + p[1] * p[1]); }
//     };
//     spec.world.add_geom({.type = mjx::shape::sdf, .size = {0.5, 0.5, 0.3}, .sdf = "user", .sdf_params = {2}});   // within this box
//     ...
//     mjx::Simulator<double, mjx::Euler, mjx::Newton, mjx::WithField<Dish>> sim(mjx::compile(spec));
//
// The functor is called with the point, and with the geom's sdf_params if it takes them (the way to tell several geoms apart). It has
// no state of its own. A fixed model is given as the second parameter.
#pragma once

#include "mjx/fwd.hpp"
#include "mjx/model/shape/fields.hpp"

namespace mjx::inner {

template <class Field, class M = Model<>>
struct WithField : M {
    template <class Real>
    using rebind = WithField<Field, typename M::template rebind<Real>>;

    constexpr WithField() = default;
    WithField(const M& model)
        requires(!M::is_fixed)
        : M(model) {}

    template <class S>
    S sdf_distance(int geom, const Vec3<S>& p) const {
        constexpr bool with_parameters = requires { Field{}(p, this->geom_sdfparam[geom]); };
        static_assert(with_parameters || signed_distance_field<Field, value_t<S>>,
                      "a field is callable with a Vec3 of plain numbers and of duals, and may take the geom's parameters too");
        if constexpr (with_parameters)
            return Field{}(p, this->geom_sdfparam[geom]);
        else
            return Field{}(p);
    }
};

}  // namespace mjx::inner
