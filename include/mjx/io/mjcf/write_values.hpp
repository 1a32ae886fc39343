// Values of a Spec as the text of attributes: the way back from attributes.hpp.
#pragma once

#include "mjx/io/mjcf/attributes.hpp"

#include <charconv>

namespace mjx::inner::mjcf {

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
std::string value_text(const AttributeRule&, const List<T>& values) {
    return items_text(values.data(), values.size());
}
template <class T>
std::string value_text(const AttributeRule& rule, const std::optional<T>& value) {
    return value ? value_text(rule, *value) : std::string();
}

template <class... V>
std::string write_value(value_list<V...>, int type, const AttributeRule& rule, const void* value) {
    using Write = std::string (*)(const AttributeRule&, const void*);
    static constexpr Write write[] = {
        [](const AttributeRule& how, const void* from) { return value_text(how, *static_cast<const V*>(from)); }...};
    return write[type](rule, value);
}

}  // namespace mjx::inner::mjcf
