// get(element, "attribute", field): moves a checked attribute into a field of the Spec; false and no change when it is absent.
// A list shorter than the field replaces its beginning only, so the rest keeps what a default class said.
#pragma once

#include "mjx/io/mjcf/schema.hpp"
#include "mjx/math/quat.hpp"

#include <optional>

namespace mjx::inner::mjcf {

template <class T>
[[gnu::noinline]] bool get_items(const Element& e, const char* name, T* items, int n) {
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

inline bool get(const Element& e, const char* name, std::string& out) {
    const std::string* text = e.find(name);
    if (text) out = *text;
    return text;
}
inline bool get(const Element& e, const char* name, double& out) { return get_items(e, name, &out, 1); }
inline bool get(const Element& e, const char* name, int& out) { return get_items(e, name, &out, 1); }
template <class T, int N>
bool get(const Element& e, const char* name, Vec<T, N>& out) { return get_items(e, name, out.e, N); }
inline bool get(const Element& e, const char* name, Quatd& out) {
    if (!get_items(e, name, out.e, 4)) return false;
    if (out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 0)
        e.fail({"attribute '", name, "' is the zero quaternion, expected a rotation"});
    return true;
}
template <class T>
bool get(const Element& e, const char* name, std::vector<T>& out) {
    const std::string* text = e.find(name);
    if (!text) return false;
    std::string bad;
    auto values = parse_numbers<T>(*text, &bad);
    if (!values) e.fail({"attribute '", name, "': '", bad, "' is out of range"});
    out = std::move(*values);
    return true;
}
template <class T>
bool get(const Element& e, const char* name, std::optional<T>& out) {
    T value{};
    if (out) value = *out;
    if (!get(e, name, value)) return false;
    out = value;
    return true;
}

// The place of a keyword in its list in the schema, which follows MuJoCo's enumerations.
[[gnu::noinline]] inline bool get_keyword(const Element& e, const char* name, int& out) {
    const std::string* text = e.find(name);
    if (!text) return false;
    if (const int place = e.rule->attribute(name)->place(*text); place >= 0) out = place;
    return true;
}
inline bool get(const Element& e, const char* name, bool& out) {
    int place = 0;
    if (!get_keyword(e, name, place)) return false;
    out = place == 1;
    return true;
}
inline bool get(const Element& e, const char* name, Tristate& out) {
    int place = 0;
    if (!get_keyword(e, name, place)) return false;
    out = static_cast<Tristate>(place);
    return true;
}
// Several keywords as bits: the place of each in the schema's list.
inline bool get_keyword_bits(const Element& e, const char* name, int& out) {
    const std::string* text = e.find(name);
    if (!text) return false;
    const AttributeRule* rule = e.rule->attribute(name);
    int bits = 0;
    for (const std::string_view word : split_words(*text))
        if (const int place = rule->place(word); place >= 0) bits |= 1 << place;
    if (bits) out = bits;
    return bits != 0;
}

}  // namespace mjx::inner::mjcf
