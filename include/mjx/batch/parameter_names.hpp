// Parameters of a model by their names: tables such as geom_friction, options such as gravity.
#pragma once

#include "mjx/data/walk.hpp"
#include "mjx/model/consequences.hpp"
#include "mjx/model/fields.hpp"
#include "mjx/model/own_model.hpp"
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

// Which tables and options may be an environment's own: of a model with own tables (model/own_model.hpp) these alone.
template <class M, class Table>
inline constexpr bool is_own_in = !has_own_tables<M> || is_own_table<std::remove_cvref_t<Table>>;
template <class M>
constexpr bool find_own_options() {
    if constexpr (has_own_tables<M>)
        return M::own_options;
    else
        return true;
}
template <class M>
inline constexpr bool owns_options = find_own_options<M>();
// What a name may be, in words.
template <class M>
std::string own_choices() {
    if constexpr (has_own_tables<M>) {
        std::string names;
        for (const std::string_view name : M::own_names) names += (names.empty() ? "" : ", ") + std::string(name);
        return "one of those that WithOwn names, and it names " + names;
    } else {
        return "a table of real numbers";
    }
}

// f(table) with the table or option of this name; its numbers must be those that may differ from environment to environment.
template <class M, class F>
void with_parameter(M& m, std::string_view name, F&& f) {
    bool found = false, shared = false;
    const auto look = [&](const char* listed, auto& x, auto own) {
        if (name != listed) return;
        if constexpr (own && std::is_same_v<typename number_of<std::remove_const_t<item_t<decltype(x)>>>::type, typename M::real>) {
            found = true;
            f(x);
        } else {
            shared = true;
        }
    };
    for_each_table([&](const char* listed, auto& x) { look(listed, x, std::bool_constant<is_own_in<M, decltype(x)>>{}); }, m);
    for_each_option([&](const char* listed, auto& x) { look(listed, x, std::bool_constant<owns_options<M>>{}); }, m.opt);
    if (shared) throw std::invalid_argument("Batch: all environments share '" + std::string(name) + "', expected " + own_choices<M>());
    if (!found)
        throw std::invalid_argument("Batch: the model has no '" + std::string(name) +
                                    "', expected a table such as geom_friction or an option such as gravity");
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
