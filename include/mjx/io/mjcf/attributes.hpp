// get(element, "attribute", field): moves a checked attribute into a field of the Spec; false and no change when it is absent.
// A list shorter than the field replaces its beginning only, so the rest keeps what a default class said. value_text() is the way back.
#pragma once

#include "mjx/io/mjcf/rule.hpp"
#include "mjx/io/numbers.hpp"
#include "mjx/io/xml.hpp"
#include "mjx/math/quat.hpp"

#include <charconv>
#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace mjx::inner::mjcf {

template <class T>
[[gnu::noinline]] bool get_items(const Element& e, std::string_view name, T* items, int n) {
    const std::string* text = e.find(name);
    if (!text) return false;
    int i = 0;
    std::string_view rest = *text;
    for (std::string_view word; take_word(rest, word);) {
        const auto value = parse_number<T>(word);
        if (!value || i == n) e.fail({"attribute '", name, "' cannot be read"});
        items[i++] = *value;
    }
    return true;
}

[[gnu::noinline]] inline bool get(const Element& e, std::string_view name, std::string& out) {
    const std::string* text = e.find(name);
    if (text) out = *text;
    return text;
}
inline bool get(const Element& e, std::string_view name, float& out) { return get_items(e, name, &out, 1); }
inline bool get(const Element& e, std::string_view name, double& out) { return get_items(e, name, &out, 1); }
// The place of a keyword in its list in the schema, which follows MuJoCo's enumerations.
[[gnu::noinline]] inline bool get_place(const Element& e, std::string_view name, int& out) {
    const std::string* text = e.find(name);
    if (!text) return false;
    if (const int place = e.rule->attribute(name)->place(*text); place >= 0) out = place;
    return true;
}
// A number or a keyword, whichever the schema says it is.
[[gnu::noinline]] inline bool get(const Element& e, std::string_view name, int& out) {
    const AttributeRule* rule = e.rule ? e.rule->attribute(name) : nullptr;
    return rule && rule->is_keyword() ? get_place(e, name, out) : get_items(e, name, &out, 1);
}
template <class T, int N>
bool get(const Element& e, std::string_view name, Vec<T, N>& out) {
    return get_items(e, name, out.e, N);
}
[[gnu::noinline]] inline bool get(const Element& e, std::string_view name, Quatd& out) {
    if (!get_items(e, name, out.e, 4)) return false;
    if (out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 0)
        e.fail({"attribute '", name, "' is the zero quaternion, expected a rotation"});
    return true;
}
template <class T>
[[gnu::noinline]] bool get(const Element& e, std::string_view name, std::vector<T>& out) {
    const std::string* text = e.find(name);
    if (!text) return false;
    std::string bad;
    auto values = parse_numbers<T>(*text, &bad);
    if (!values) e.fail({"attribute '", name, "': '", bad, "' is out of range"});
    out = std::move(*values);
    return true;
}
template <class T>
[[gnu::noinline]] bool get(const Element& e, std::string_view name, std::optional<T>& out) {
    T value{};
    if (out) value = *out;
    if (!get(e, name, value)) return false;
    out = value;
    return true;
}

[[gnu::noinline]] inline bool get(const Element& e, std::string_view name, bool& out) {
    int place = 0;
    if (!get_place(e, name, place)) return false;
    out = place == 1;
    return true;
}
[[gnu::noinline]] inline bool get(const Element& e, std::string_view name, Tristate& out) {
    int place = 0;
    if (!get_place(e, name, place)) return false;
    out = static_cast<Tristate>(place);
    return true;
}
// Several keywords as bits: the place of each in the schema's list.
inline bool get_places(const Element& e, std::string_view name, int& out) {
    const std::string* text = e.find(name);
    if (!text) return false;
    const AttributeRule* rule = e.rule->attribute(name);
    int bits = 0;
    for (const std::string_view word : split_words(*text))
        if (const int place = rule->place(word); place >= 0) bits |= 1 << place;
    if (bits) out = bits;
    return bits != 0;
}

// value_text(rule, value): the text that get() reads back to the same value; empty for what need not be written.
[[gnu::noinline]] inline std::string value_text(const AttributeRule&, const std::string& text) { return text; }
template <class T>
    requires std::integral<T> || std::floating_point<T>
[[gnu::noinline]] void append_number(std::string& text, T value) {
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    if (!text.empty()) text += ' ';
    text.append(digits, end);
}
template <class T>
[[gnu::noinline]] std::string items_text(const T* items, std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) append_number(text, items[i]);
    return text;
}
inline std::string value_text(const AttributeRule&, double value) { return items_text(&value, 1); }
inline std::string value_text(const AttributeRule&, float value) { return items_text(&value, 1); }
[[gnu::noinline]] inline std::string value_text(const AttributeRule& rule, int value) {
    return rule.is_keyword() ? std::string(rule.word(value)) : items_text(&value, 1);
}
inline std::string value_text(const AttributeRule& rule, bool value) { return std::string(rule.word(value)); }
inline std::string value_text(const AttributeRule& rule, Tristate value) { return std::string(rule.word(static_cast<int>(value))); }
template <class T, int N>
std::string value_text(const AttributeRule& rule, const Vec<T, N>& value) {
    return items_text(value.e, static_cast<std::size_t>(std::min(N, rule.most)));
}
inline std::string value_text(const AttributeRule&, const Quatd& value) { return items_text(value.e, 4); }
template <class T>
std::string value_text(const AttributeRule&, const std::vector<T>& values) {
    return items_text(values.data(), values.size());
}
template <class T>
std::string value_text(const AttributeRule& rule, const std::optional<T>& value) {
    return value ? value_text(rule, *value) : std::string();
}

// How values of one type move between a file and a Spec; rows share them, so that a row is no code.
struct ValueType {
    void (*read)(const Element&, std::string_view name, void* value);
    std::string (*write)(const AttributeRule&, const void* value);
};
template <class V>
void read_value(const Element& e, std::string_view name, void* value) {
    get(e, name, *static_cast<V*>(value));
}
template <class V>
std::string write_value(const AttributeRule& rule, const void* value) {
    return value_text(rule, *static_cast<const V*>(value));
}
template <class V>
inline constexpr ValueType value_type{read_value<V>, write_value<V>};

// Where an attribute goes: a member and its type, or functions of its own. Its text is left out where it is that of the element's default.
template <class T>
struct Place {
    const ValueType* type = nullptr;
    const void* (*member)(const T&) = nullptr;
    void (*own_read)(const Element&, std::string_view name, T&) = nullptr;
    std::string (*own_write)(const AttributeRule&, const T&) = nullptr;

    bool known() const { return type || own_read; }
    void read(const Element& e, std::string_view name, T& item) const {
        if (type)
            type->read(e, name, const_cast<void*>(member(item)));
        else
            own_read(e, name, item);
    }
    std::string write(const AttributeRule& rule, const T& item) const {
        return type ? type->write(rule, member(item)) : own_write(rule, item);
    }
};

// A row of a table of attributes: what the schema says about it, in the notation of schema_table.hpp, and its place:
// to<&SpecGeom::margin> for a member, to<&SpecLight::look, &LightLook::cutoff> for one of a member, or functions of its own.
// Rows without one are moved by the element's own code.
template <class T>
struct Attribute {
    const char* notation;
    Place<T> place{};
};

[[gnu::noinline]] inline std::string_view attribute_name(std::string_view notation) {
    return notation.substr(0, notation.find_first_of(":=!~"));
}

template <class V, class T>
T class_of_member(V T::*);
template <auto First, auto... Rest>
const void* member_of(const decltype(class_of_member(First))& item) {
    return &((item.*First).*....*Rest);
}
template <auto First, auto... Rest>
using member_type = std::remove_reference_t<decltype(((std::declval<decltype(class_of_member(First))&>().*First).*....*Rest))>;
template <auto First, auto... Rest>
inline constexpr Place<decltype(class_of_member(First))> to{&value_type<member_type<First, Rest...>>, member_of<First, Rest...>};

template <class T, std::size_t N>
[[gnu::cold, gnu::noinline]] void read_attributes(const Element& e, const Attribute<T> (&table)[N], T& item) {
    for (const Attribute<T>& row : table)
        if (row.place.known()) row.place.read(e, attribute_name(row.notation), item);
}

}  // namespace mjx::inner::mjcf
