// A model file from bytes: they choose elements, attributes and values of the schema table, so that most of what comes out passes the
// first checks and reaches the compiler.
#pragma once

#include "mjx/io/mjcf/schema.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace fuzz {

// Takes choices from the front; zeros when there are no more.
struct Bytes {
    std::string_view rest;

    unsigned byte() {
        if (rest.empty()) return 0;
        const auto b = static_cast<unsigned char>(rest[0]);
        rest.remove_prefix(1);
        return b;
    }
    int integer() {
        constexpr int some[] = {0, 1, 2, 3, 5, 7, 20, -1, 100, 1000, 2147483647, -2147483647};
        const unsigned b = byte();
        return b < std::size(some) ? some[b] : static_cast<int>(b % 4);
    }
    double number() {
        constexpr double some[] = {0, 1, -1, 0.1, 1e-300, 1e300, -1e300, 1e10, 1e-10, 1e-3, 100, -0.5};
        const unsigned b = byte();
        return b < std::size(some) ? some[b] : (static_cast<double>(byte()) - 100) / 64;
    }
};

inline std::string random_value(Bytes& from, const mjx::AttributeRule& a) {
    using Kind = mjx::AttributeRule::Kind;
    if (a.is_keyword()) {
        std::vector<std::string_view> words = mjx::mjcf::split(a.words, '|');
        return std::string(words[from.byte() % words.size()]);
    }
    if (a.is_number()) {
        std::string text;
        const int n = from.byte() % 8 == 0 ? static_cast<int>(from.byte() % 8) : a.most < 16 ? a.most : 3;
        for (int i = 0; i < n; ++i) {
            char number[32];
            std::snprintf(number, sizeof number, "%.17g ", a.kind == Kind::integer ? from.integer() : from.number());
            text += number;
        }
        return text;
    }
    constexpr const char* names[] = {"a", "b", "c", "world", "main", ""};
    return names[from.byte() % std::size(names)];
}

inline void random_element(Bytes& from, std::string_view tag, const mjx::ElementRule& rule, int depth, int& left, std::string& text) {
    if (--left < 0) return;
    text += "<" + std::string(tag);
    for (const mjx::AttributeRule& a : rule.attributes)
        if (a.required || from.byte() % 8 == 0) text += " " + std::string(a.name) + "='" + random_value(from, a) + "'";
    text += ">";
    const unsigned children = rule.children.empty() || depth > 8 ? 0 : from.byte() % 5;
    for (unsigned i = 0; i < children; ++i) {
        const mjx::ChildRule& child = rule.children[from.byte() % rule.children.size()];
        random_element(from, child.tag, *child.rule, depth + 1, left, text);
    }
    text += "</" + std::string(tag) + ">";
}

// Every model has a floor and two bodies with names that the rest may refer to.
inline std::string random_mjcf(std::string_view bytes) {
    Bytes from{bytes};
    std::string text = "<mujoco><worldbody><geom name='c' type='plane' size='1 1 1'/>"
                       "<body name='a' pos='0 0 .1'><joint name='a'/><geom name='a' size='.1'/><site name='a'/></body>"
                       "<body name='b'><freejoint name='b'/><geom name='b' type='box' size='.1 .2 .3'/><site name='b'/></body></worldbody>";
    int left = 60;
    const mjx::ElementRule& root = mjx::mjcf::schema_rule("mujoco");
    for (unsigned i = 1 + from.byte() % 4; i > 0; --i) {
        const mjx::ChildRule& child = root.children[from.byte() % root.children.size()];
        random_element(from, child.tag, *child.rule, 1, left, text);
    }
    return text + "</mujoco>";
}

}  // namespace fuzz
