// cast<Real, Joints>(model): the same model with other numbers (float, dual, pack) or a smaller set of joints.
//
//     auto light = cast<float>(model);                              // parameters in single precision
//     auto arm = cast<double, joint_set<Hinge, Slide>>(model);      // no code for ball and free joints
//     auto many = cast<pack<float>>(model);                         // then give each lane its own masses
//     auto tunable = cast<double>(models::Arm{});                   // a fixed model whose parameters can change
#pragma once

#include "mjx/model/fields.hpp"
#include "mjx/model/joint_set.hpp"
#include "mjx/model/model.hpp"
#include "mjx/model/spec.hpp"

namespace mjx::inner {

namespace detail {

// How a number, an integer or a name of one model becomes that of another.
struct CastNumber {
    template <class From, class To>
    void operator()(const From& from, To& to) const {
        if constexpr (std::is_same_v<From, To> || std::is_integral_v<To>)
            to = from;
        else if constexpr (std::is_same_v<To, std::string>)
            to = To(from);
        else
            to = scalar_cast<To>(from);
    }
};
// The same from lane k alone.
struct CastLane {
    int k;
    template <class From, class To>
    void operator()(const From& from, To& to) const {
        if constexpr (std::is_integral_v<To> || std::is_same_v<To, std::string>)
            to = from;
        else
            CastNumber{}(lane(from, k), to);
    }
};

// An item of a table: a number, a name, or a small vector of numbers.
template <class Convert, class From, class To>
void cast_item(const Convert& convert, const From& from, To& to) {
    if constexpr (requires {
                      To::size;
                      to[0];
                  } && !scalar<To>)
        for (int i = 0; i < To::size; ++i) convert(from[i], to[i]);
    else
        convert(from, to);
}

template <class Convert, class From, class To>
void cast_table(const Convert& convert, const From& from, To& to) {
    to.resize(from.size());
    for (int i = 0; i < from.size(); ++i) cast_item(convert, from[i], to[i]);
}

template <class To, class M, class Convert>
To cast_model(const M& from, const Convert& convert) {
    To to;
    to.name = std::string(from.name);
    const auto item = [&](const char*, const auto& a, auto& b) { cast_item(convert, a, b); };
    for_each_option(item, from.opt, to.opt);
    to.opt.chosen = from.opt.chosen;
    for_each_statistic(item, from.stat, to.stat);
    for_each_size([](const char*, const int& a, int& b) { b = a; }, from, to);
    const auto table = [&](const char*, const auto& a, auto& b) { cast_table(convert, a, b); };
    for_each_table(table, from, to);
    for_each_name_list(table, from, to);
    cast_table(convert, from.text_data, to.text_data);
    if constexpr (requires { from.visual; }) to.visual = from.visual;
    return to;
}

}  // namespace detail

template <class Real, class Joints = all_joints, class M>
    requires requires { M::is_fixed; }
Model<Real, Joints> cast(const M& from) {
    for (int j = 0; j < from.njnt; ++j)
        if (!Joints::contains(from.jnt_type[j])) {
            throw model_error(std::string(from.name) + ": joint '" + std::string(from.jnt_name[j]) + "' is a " +
                              M::joints::kind(from.jnt_type[j]).name + " joint, which is not in the joint_set this model was asked for");
        }
    return detail::cast_model<Model<Real, Joints>>(from, detail::CastNumber{});
}

// The model that lane k of a model of packs is.
template <class Real, class M>
typename M::template rebind<Real> cast_lane(const M& from, int k) {
    return detail::cast_model<typename M::template rebind<Real>>(from, detail::CastLane{k});
}

}  // namespace mjx::inner
