// Fixed models: a robot as a type. What headers written by mjx_add_model need, and what they must be.
//
// A fixed model has the members of Model as static constexpr constants: sizes are ints, tables FixedArrays, names string views. Stages
// are written against `const M& m` and never ask which kind they got. `models::Humanoid_of<float>` has its parameters in float;
// `models::Humanoid` is that of double, and Simulator picks the one of its scalar.
//
//     constexpr int knee = models::Humanoid::joint("right_knee");     // a name that does not exist is a compile error
#pragma once

#include "mjx/model/array.hpp"
#include "mjx/model/joints.hpp"
#include "mjx/model/option.hpp"

#include <string_view>

namespace mjx::inner {

template <class M>
concept fixed_model = requires(const M& m) {
    typename M::real;
    typename M::joints;
    typename M::template rebind<float>;
    { M::nq + M::nv + M::nbody + M::njnt + M::nM } -> std::convertible_to<int>;
    { M::opt.timestep } -> std::convertible_to<typename M::real>;
    M::body_parentid[0];
    M::jnt_type[0];
    M::M_colind[0];
    requires M::is_fixed;
    requires std::is_empty_v<M>;
};

// The index of a name in a list of names, or -1.
template <class Names>
constexpr int find_name(const Names& names, std::string_view name) {
    for (int i = 0; i < names.size(); ++i)
        if (names[i] == name) return i;
    return -1;
}

// Never defined, and deliberately not constexpr: a constant that reaches one of these stops the compiler with its name.
void the_model_has_no_body_of_this_name();
void the_model_has_no_joint_of_this_name();
void the_model_has_no_geom_of_this_name();
void the_model_has_no_site_of_this_name();
void the_model_has_no_camera_of_this_name();
void the_model_has_no_tendon_of_this_name();
void the_model_has_no_actuator_of_this_name();
void the_model_has_no_sensor_of_this_name();
void the_model_has_no_equality_of_this_name();
void the_model_has_no_key_of_this_name();

template <class Names>
consteval int require_name(const Names& names, std::string_view name, void (*complain)()) {
    const int id = find_name(names, name);
    if (id < 0) complain();
    return id;
}

// A constant beyond the range of float is infinite there, as it is after a conversion at run time.
template <class Real>
constexpr Real saturated(double x) {
    constexpr double largest = static_cast<double>(std::numeric_limits<Real>::max());
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    return x > largest ? infinity : x < -largest ? -infinity : static_cast<Real>(x);
}

}  // namespace mjx::inner
