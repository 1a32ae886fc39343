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

// Gives the table or option `name` the numbers item(0), item(1), ..., with all that follows from them. d is work space.
template <class M, class D, class Item>
void give_parameter(M& m, D& d, std::string_view name, const Item& item) {
    with_parameter(m, name, [&](auto& table) {
        const int items = as_field(table).size(), components = items > 0 ? number_count(table) / items : 0;
        for (int i = 0; i < items; ++i)
            set_parameter(m, name, table, i, [&](int c) { return static_cast<typename M::real>(item(i * components + c)); });
    });
    if (has_consequences(name)) set_constants(m, d);
}

// The shortcut of the kinematics for lanes of which some have one and some the other: the more general, where it comes to the same bits.
// -1: there is none.
inline int common_shortcut(std::string_view table, int a, int b) {
    const auto among = [&](int x, int y) { return (a == x || a == y) && (b == x || b == y); };
    if (a == b) return a;
    if (table == "jnt_offset") return 1;
    if (table == "body_sameframe" || table == "body_turned" || table == "dof_alone") return -1;
    return among(sameframe::body, sameframe::bodyrot)         ? sameframe::bodyrot
           : among(sameframe::inertia, sameframe::inertiarot) ? sameframe::inertiarot
                                                              : -1;
}
// What holds whatever the frames are.
inline int no_shortcut(std::string_view table) { return table == "body_turned" || table == "jnt_offset" ? 1 : 0; }

// Lane k of a number of `table` becomes an environment's own, rounded once. Integers are shared by the lanes: -1 if they cannot be.
template <class X, class Own>
void take_number(std::string_view table, X& x, int k, const Own& own) {
    if constexpr (std::is_same_v<X, int>)
        x = k == 0 ? static_cast<int>(own) : common_shortcut(table, x, static_cast<int>(own));
    else
        set_lane(x, k, scalar_cast<lane_t<X>>(own));
}

}  // namespace mjx::inner
