// cast<Real, Joints>(model): the same model with numbers of another type, or with a smaller set of joints.
//
//     Model<float> light = cast<float>(model);
//     Model<dual<double, 1>> by_mass = cast<dual<double, 1>>(model);          // then give body_mass[1] a derivative
//     Model<double, joint_set<Hinge>> arm = cast<double, joint_set<Hinge>>(model);
#pragma once

#include "mjx/model/fields.hpp"
#include "mjx/model/model.hpp"
#include "mjx/model/spec.hpp"

namespace mjx {

// Copies a number, a vector, a quaternion or a table, converting each number.
template <class To, class From>
void cast_into(To& to, const From& from) {
    if constexpr (std::is_same_v<To, From>)
        to = from;
    else if constexpr (requires { to.items; }) {
        to.resize(from.size());
        for (int i = 0; i < from.size(); ++i) cast_into(to[i], from[i]);
    } else if constexpr (requires { To::size; to[0]; } && !scalar<To>) {
        for (int i = 0; i < To::size; ++i) cast_into(to[i], from[i]);
    } else {
        to = scalar_cast<To>(from);
    }
}

template <class Real, class Joints = all_joints, class R, class J>
Model<Real, Joints> cast(const Model<R, J>& from) {
    for (int j = 0; j < from.njnt; ++j)
        if (!Joints::contains(from.jnt_type[j])) {
            static constexpr const char* names[] = {Free::name, Ball::name, Slide::name, Hinge::name};
            throw model_error(from.name + ": joint '" + from.jnt_name[j] + "' is of type " + names[from.jnt_type[j]] +
                              ", expected one of the joint set the simulator was compiled for");
        }
    Model<Real, Joints> to;
    const auto copy = [](const char*, auto& a, const auto& b) { cast_into(a, b); };
    for_each_size(copy, to, from);
    for_each_table(copy, to, from);
    for_each_name_list(copy, to, from);
    for_each_option(copy, to.opt, from.opt);
    for_each_statistic(copy, to.stat, from.stat);
    to.name = from.name;
    to.text_data = from.text_data;
    return to;
}

}  // namespace mjx
