// WithOwn<M, "body_mass", "geom_friction">: a fixed model of which every environment has tables of its own.
//
//     using Robot = mjx::WithOwn<models::Cheetah, "body_mass", "geom_friction", "gravity">;
//     mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, Robot> batch(4096);
//     auto mass = batch.parameters("body_mass");        // (environment, body, 1)
//     batch.set_parameters("body_mass", mass);          // with all that follows from it
// Takes tables of real numbers and options by the names that parameters() has for them. What follows from them (model/consequences.hpp) is
// the environment's own, too. Such a model is an object with these tables and nothing else; all others are the constants they were. In a
// Simulator or Batch of packs an own table has a number in every lane.
//
// Code that leaves out what a fixed model never does (model/facts.hpp, known() in math/traverse.hpp) goes by the constants of M. It asks no
// table that may become an environment's own but those of stays_zero, in which no zero becomes another number, and shortcuts of the
// kinematics, which known() does not take for known where they are own.
#pragma once

#include "mjx/math/quat.hpp"
#include "mjx/model/array.hpp"
#include "mjx/model/consequences.hpp"
#include "mjx/model/fields.hpp"
#include "mjx/model/option.hpp"

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace mjx::inner {

// A name as a template's argument.
template <std::size_t N>
struct TableName {
    char text[N]{};
    consteval TableName(const char (&name)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = name[i];
    }
    constexpr std::string_view view() const { return {text, N - 1}; }
};

// The same item with numbers of another type.
template <class T, class Real>
struct item_with {
    using type = std::conditional_t<std::is_integral_v<T>, T, Real>;
};
template <class T, int N, class Real>
struct item_with<Vec<T, N>, Real> {
    using type = Vec<Real, N>;
};
template <class T, class Real>
struct item_with<Quat<T>, Real> {
    using type = Quat<Real>;
};
template <class T, class Real>
struct item_with<Mat3<T>, Real> {
    using type = Mat3<Real>;
};
template <class To, class From>
constexpr void take_item(To& to, const From& from) {
    if constexpr (requires { typename To::scalar_type; })
        for (int i = 0; i < To::size; ++i) to[i] = typename To::scalar_type(from[i]);
    else
        to = To(from);
}

// The constants of the model. Where own tables are of packs, they are read as such: stages then have one kind of number, as of a
// Model<pack>. Shared::get() is the table: itself it is a hidden symbol (io/emit.hpp), as the type would be.
template <class Shared, class Real>
struct SharedTable {
    using constant = typename std::remove_cvref_t<decltype(Shared::get())>::value_type;
    using value_type = typename item_with<constant, Real>::type;
    constexpr decltype(auto) operator[](int i) const {
        if constexpr (std::is_same_v<constant, value_type>) {
            return Shared::get()[i];
        } else {
            value_type item;
            take_item(item, Shared::get()[i]);
            return item;
        }
    }
    static constexpr int size() { return Shared::get().size(); }
    static constexpr const constant* data() { return Shared::get().data(); }
    static constexpr const constant* begin() { return Shared::get().begin(); }
    static constexpr const constant* end() { return Shared::get().end(); }
};

// An environment's own; it starts as that of the model. Looking into it is no constant expression: nothing is known of it beforehand.
template <class Shared, class Real>
struct OwnTable {
    static constexpr bool is_own = true;
    using value_type = typename SharedTable<Shared, Real>::value_type;
    FixedArray<value_type, Shared::get().size()> items{};

    constexpr OwnTable() {
        for (int i = 0; i < size(); ++i) take_item(items[i], Shared::get()[i]);
    }
    value_type& operator[](int i) { return items.e[i]; }
    const value_type& operator[](int i) const { return items.e[i]; }
    static constexpr int size() { return Shared::get().size(); }
    value_type* data() { return items.e; }
    value_type* begin() { return items.e; }
    value_type* end() { return items.e + size(); }
    const value_type* data() const { return items.e; }
    const value_type* begin() const { return items.e; }
    const value_type* end() const { return items.e + size(); }
};
template <class Table>
inline constexpr bool is_own_table = requires { Table::is_own; };

// Which tables are own, for the list that a generated header has of them.
template <class Real, TableName... Names>
struct OwnNames {
    static constexpr bool has(std::string_view name) { return ((name == Names.view() || follows_from(name, Names.view())) || ...); }
    template <TableName Name, class Shared>
    using table = std::conditional_t<has(Name.view()) && (Shared::get().size() > 0), OwnTable<Shared, Real>, SharedTable<Shared, Real>>;
};
constexpr bool is_option(std::string_view name) {
    bool found = false;
    for_each_option(
        [&](const char* option, const auto& x) { found = found || (name == option && !std::is_same_v<decltype(x), const int&>); },
        Option<double>{});
    return found;
}

// Options and statistics are structs, and own as a whole.
template <class M, class Real, bool Own>
struct OwnOption : M {};
template <class M, class Real>
struct OwnOption<M, Real, true> : M {
    Option<Real> opt{};
    constexpr OwnOption() {
        for_each_option([](const char*, auto& to, const auto& from) { take_item(to, from); }, opt, M::opt);
    }
};
template <class M, class Real, bool Own>
struct OwnStatistic : M {};
template <class M, class Real>
struct OwnStatistic<M, Real, true> : M {
    Statistic<Real> stat{};
    constexpr OwnStatistic() {
        for_each_statistic([](const char*, auto& to, const auto& from) { take_item(to, from); }, stat, M::stat);
    }
};

// Whether a name is that of a table that may be own, or of a real option.
template <class M>
constexpr bool has_parameter(std::string_view name) {
    bool found = is_option(name);
    for_each_table(
        [&](const char* table, const auto& x) { found = found || (name == table && is_own_table<std::remove_cvref_t<decltype(x)>>); }, M{});
    return found;
}

// M: the fixed model; Real: the numbers of own tables, M's own or packs of them.
template <class M, class Real, TableName... Names>
struct OwnModel
    : OwnStatistic<OwnOption<typename M::template own_tables<OwnNames<Real, Names...>, M>, Real, (is_option(Names.view()) || ...)>, Real,
                   OwnNames<Real, Names...>::has("stat")> {
    using real = Real;
    using constants = M;
    template <class Other>
    using rebind = OwnModel<typename M::template rebind<lane_t<Other>>, Other, Names...>;
    static constexpr bool own_options = (is_option(Names.view()) || ...), own_statistics = OwnNames<Real, Names...>::has("stat");
    static constexpr std::string_view own_names[] = {Names.view()...};
};

// f(name, table of each model given...) for the tables of an environment's own, options and statistics; the first model says which.
template <class F, class M, class... Others>
void for_each_own(F&& f, M& m, Others&... others) {
    for_each_table(
        [&](const char* name, auto& table, auto&... same) {
            if constexpr (is_own_table<std::remove_cvref_t<decltype(table)>>) f(name, table, same...);
        },
        m, others...);
    const auto real = [&](const char* name, auto& x, auto&... same) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(x)>, int>) f(name, x, same...);
    };
    if constexpr (M::own_options) for_each_option(real, m.opt, others.opt...);
    if constexpr (M::own_statistics) for_each_statistic(real, m.stat, others.stat...);
}

// Code for what is zero throughout a fixed model is left out, and so is room for the rows it would bring: there a zero stays one.
constexpr bool stays_zero(std::string_view name) {
    return detail::is_one_of(name, "dof_frictionloss", "tendon_frictionloss", "geom_adhesion", "pair_adhesion", "geom_surfacevel",
                             "tendon_stiffness", "tendon_stiffnesspoly", "tendon_damping", "tendon_dampingpoly", "tendon_armature",
                             "actuator_armature", "actuator_damping", "actuator_dampingpoly");
}

template <class M, TableName... Names>
struct with_own {
    static_assert(
        requires {
            M::is_fixed;
            typename M::template own_tables<OwnNames<double>, M>;
        }, "WithOwn takes a model written by mjx_add_model, then names of its tables: WithOwn<models::Cheetah, \"body_mass\">");
    using type = OwnModel<M, typename M::real, Names...>;
    static_assert(
        (has_parameter<type>(Names.view()) && ...),
        "WithOwn takes names of tables of real numbers that the model has, such as \"body_mass\", or options such as \"gravity\"");
};
template <class M, TableName... Names>
using WithOwn = typename with_own<M, Names...>::type;

}  // namespace mjx::inner
