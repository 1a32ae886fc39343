// JSON, written: json(x) for numbers, strings, vectors and lists of them, json_object for the rest.
#pragma once

#include "mjx/math/quat.hpp"

#include <charconv>
#include <cmath>
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mjx::inner::show {

template <class T>
    requires std::integral<T> || std::floating_point<T>
std::string json(T x) {
    if constexpr (std::same_as<T, bool>) {
        return x ? "true" : "false";
    } else {
        if constexpr (std::floating_point<T>)
            if (!std::isfinite(x)) return "null";
        char text[40];
        return std::string(text, std::to_chars(text, text + sizeof(text), x).ptr);
    }
}

// Names come from files: control characters and < are escaped, so that the text may stand inside a page's script element. Bytes that are
// not UTF-8 are passed on; browsers show them as unknown characters.
inline std::string json(std::string_view s) {
    std::string text = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == '<') {
            constexpr const char* hex = "0123456789abcdef";
            text += "\\u00";
            text += hex[c >> 4];
            text += hex[c & 15];
        } else {
            text += c;
        }
    }
    return text + "\"";
}
inline std::string json(const std::string& s) { return json(std::string_view(s)); }
inline std::string json(const char* s) { return json(std::string_view(s)); }

template <class T, int N>
std::string json(const Vec<T, N>& v) {
    std::string text = "[";
    for (int i = 0; i < N; ++i) text += (i ? "," : "") + json(v[i]);
    return text + "]";
}

template <class List, class F>
std::string json_list(const List& list, F&& item) {
    std::string text = "[";
    for (const auto& x : list) {
        if (text.size() > 1) text += ",";
        text += item(x);
    }
    return text + "]";
}
template <class T>
std::string json(const std::vector<T>& list) {
    return json_list(list, [](const T& x) { return json(x); });
}

// The values are JSON already.
inline std::string json_object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
    std::string text = "{";
    for (const auto& [name, value] : members) {
        if (text.size() > 1) text += ",";
        text += json(name) + ":" + value;
    }
    return text + "}";
}

}  // namespace mjx::inner::show
