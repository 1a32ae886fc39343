// Parameters of a model by their names: tables such as geom_friction, options such as gravity.
#pragma once

#include "mjx/data/walk.hpp"
#include "mjx/model/fields.hpp"
#include "mjx/robotics/parameters.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace mjx::inner {

template <class T>
struct number_of {
    using type = T;
};
template <has_components T>
    requires(!scalar<T>)
struct number_of<T> {
    using type = typename T::scalar_type;
};

// f(table) with the table or option of this name; its numbers must be those that may differ from environment to environment.
template <class M, class F>
void with_parameter(M& m, std::string_view name, F&& f) {
    bool found = false, shared = false;
    const auto look = [&](const char* listed, auto& x) {
        if (name != listed) return;
        if constexpr (std::is_same_v<typename number_of<std::remove_const_t<item_t<decltype(x)>>>::type, typename M::real>) {
            found = true;
            f(x);
        } else {
            shared = true;
        }
    };
    for_each_table(look, m);
    for_each_option(look, m.opt);
    if (shared) throw std::invalid_argument("Batch: all environments share '" + std::string(name) + "', expected a table of real numbers");
    if (!found)
        throw std::invalid_argument("Batch: the model has no '" + std::string(name) +
                                    "', expected a table such as geom_friction or an option such as gravity");
}

// Whether constants follow from a parameter (stage/constants.hpp): masses, poses and lengths at rest.
inline bool has_consequences(std::string_view name) {
    for (const char* given : {"qpos0", "qpos_spring", "body_mass", "body_inertia", "dof_armature", "geom_size", "tendon_armature",
                              "tendon_lengthspring", "actuator_armature", "actuator_gear", "actuator_cranklength", "wrap_prm", "eq_data"})
        if (name == given) return true;
    return name.ends_with("pos") || name.ends_with("quat") || name.ends_with("axis") || name == "light_dir";
}

// Gives item i of a table its numbers. The mass of a body brings its inertia, the size of a geom its bounds and its part in the body.
template <class M, class Table, class Item>
void set_parameter(M& m, std::string_view name, Table& table, int i, const Item& item) {
    if (name == "body_mass") {
        set_mass(m, i, item(0));
    } else if (name == "geom_size") {
        set_size(m, i, Vec3<typename M::real>{{item(0), item(1), item(2)}});
    } else {
        int c = 0;
        for_each_component([&](auto& x) { x = item(c++); }, as_field(table)[i]);
    }
}

}  // namespace mjx::inner
