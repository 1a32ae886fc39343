// emit_fixed_model: a Model as the text of a C++ header with one struct of constants (model/fixed.hpp).
//
// Numbers are written in the shortest form that reads back as the same double. Every number of a table is written as Real(x), so that
// the struct of float holds what a conversion at run time gives. The tables are hidden symbols: a kernel compiled at run time into a
// shared object can then reach them without -fPIC.
#pragma once

#include "mjx/model/consequences.hpp"
#include "mjx/model/fields.hpp"
#include "mjx/model/model.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace mjx::inner {

namespace emit {

template <class T>
std::string shortest(T x) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof(text), x).ptr;
    return std::string(text, end);
}

// How a value and its type are written; overloads by type.
inline std::string literal(int x) { return shortest(x); }
inline std::string literal(double x) {
    if (x != x) return "std::numeric_limits<Real>::quiet_NaN()";
    const std::string text = x == 0 && std::signbit(x) ? "-0.0" : shortest(x);
    if (std::abs(x) == std::numeric_limits<double>::infinity())
        return std::string(x < 0 ? "-" : "") + "std::numeric_limits<Real>::infinity()";
    const bool large = std::abs(x) > static_cast<double>(std::numeric_limits<float>::max());
    return (large ? "mjx::inner::saturated<Real>(" : "Real(") + text + ")";
}
inline std::string literal(float x) {
    const std::string text = shortest(x);
    return text + (text.find_first_of(".e") == std::string::npos ? ".0f" : "f");
}
inline std::string literal(const std::string& s) {
    std::string text = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\') text += '\\';
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7f) {
            // three octal digits: a following digit cannot become part of the escape
            const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                                  static_cast<char>('0' + (byte & 7)), '\0'};
            text += octal;
        } else {
            text += c;
        }
    }
    return text + "\"";
}
template <class V>
    requires requires(const V& v) {
        V::size;
        v.e;
    }
std::string literal(const V& v) {
    std::string text = "{{";
    for (int i = 0; i < V::size; ++i) text += (i ? ", " : "") + literal(v[i]);
    return text + "}}";
}

template <class T>
struct type;
template <>
struct type<int> {
    static std::string name() { return "int"; }
};
template <>
struct type<float> {
    static std::string name() { return "float"; }
};
template <>
struct type<double> {
    static std::string name() { return "Real"; }
};
template <>
struct type<std::string> {
    static std::string name() { return "std::string_view"; }
};
template <class T, int N>
struct type<Vec<T, N>> {
    static std::string name() { return "mjx::inner::Vec<" + type<T>::name() + ", " + shortest(N) + ">"; }
};
template <class T>
struct type<Quat<T>> {
    static std::string name() { return "mjx::inner::Quat<" + type<T>::name() + ">"; }
};
template <class T>
struct type<Mat3<T>> {
    static std::string name() { return "mjx::inner::Mat3<" + type<T>::name() + ">"; }
};

template <class Items>
std::string table(std::string_view name, const Items& items) {
    constexpr std::size_t width = 120;
    std::string text, line = "    [[gnu::visibility(\"hidden\")]] static constexpr mjx::inner::FixedArray<" +
                             type<typename Items::value_type>::name() + ", " + shortest(items.size()) + "> " + std::string(name) + "{";
    if (items.size() == 0) return line + "};\n";
    for (int i = 0; i < items.size(); ++i) {
        const std::string item = (i > 0 ? " " : "{") + literal(items[i]) + (i + 1 < items.size() ? "," : "}};");
        if (line.size() + item.size() > width) {
            text += line + "\n";
            line = "       ";
        }
        line += item;
    }
    return text + line + "\n";
}

// Whether environments may have a table of their own: real numbers of what moves and touches, not of meshes, keyframes and custom data.
template <class Items>
bool may_be_own(std::string_view name, const Items&) {
    if (is_shortcut(name)) return true;
    for (const char* fixed : {"mesh_", "hfield_", "key_", "numeric_", "tuple_", "grid_"})
        if (name.starts_with(fixed)) return false;
    return type<typename Items::value_type>::name().find("Real") != std::string::npos;
}
// The list of these for OwnModel (model/own_model.hpp), which says of each whether it is.
template <class Joints>
std::string own_tables(const Model<double, Joints>& m) {
    std::string text = "    template <class Own, class Base>\n    struct own_tables : Base {\n";
    const auto add = [&](const std::string& name, const auto& items) {
        if (may_be_own(name, items))
            text += "        struct " + name + "_of { static constexpr const auto& get() { return Base::" + name +
                    "; } };\n        [[no_unique_address]] typename Own::template table<\"" + name + "\", " + name + "_of> " + name +
                    "{};\n";
    };
    for_each_table(add, m);
    return text + "    };\n";
}

// The joint types the model has, so that the code of the others is never compiled.
template <class Joints>
std::string joint_types(const Model<double, Joints>& m) {
    std::string text;
    for (const JointKind& kind : Joints::kinds) {
        bool present = false;
        for (const int type : m.jnt_type) present = present || type == kind.type;
        if (present) text += std::string(text.empty() ? "" : ", ") + kind.cpp_name;
    }
    return text;
}

inline std::string lookups() {
    constexpr std::pair<const char*, const char*> all[] = {{"body", "body_name"},        {"joint", "jnt_name"},   {"geom", "geom_name"},
                                                           {"site", "site_name"},        {"camera", "cam_name"},  {"tendon", "tendon_name"},
                                                           {"sensor", "sensor_name"},    {"equality", "eq_name"}, {"key", "key_name"},
                                                           {"actuator", "actuator_name"}};
    std::string text;
    for (const auto& [kind, list] : all)
        text += std::string("    static consteval int ") + kind + "(std::string_view id) {\n        return mjx::inner::require_name(" +
                list + ", id, mjx::inner::the_model_has_no_" + kind + "_of_this_name);\n    }\n";
    return text;
}

}  // namespace emit

// The header of models::<name>. `origin` is what its first line says it was made from.
template <class Joints>
std::string emit_fixed_model(Model<double, Joints> m, const std::string& name, const std::string& origin) {
    std::string text = "// models::" + name + ", written by mjx from " + origin +
                       ". Do not edit: change the model and build again.\n"
                       "#pragma once\n\n#include \"mjx/model/fixed.hpp\"\n\nnamespace models {\n\ntemplate <class Real>\nstruct " +
                       name + "_of {\n    using real = Real;\n    using joints = mjx::inner::joint_list<" + emit::joint_types(m) +
                       ">;\n    template <class Other>\n    using rebind = " + name +
                       "_of<Other>;\n"
                       "    static constexpr bool is_fixed = true;\n    static constexpr std::string_view name = " +
                       emit::literal(m.name) + ";\n\n";
    m.nconmax = std::min(m.nconmax, m.nconfixed);
    m.njmax = std::min(m.njmax, m.njfixed);
    m.nJmax = std::min(m.nJmax, m.nJfixed);
    const auto constant = [&](const char* field, int value) {
        text += "    static constexpr int " + std::string(field) + " = " + emit::literal(value) + ";\n";
    };
    const auto member = [&](const char* field, const auto& value) {
        text += "        ." + std::string(field) + " = " + emit::literal(value) + ",\n";
    };
    const auto table = [&](const char* field, const auto& items) { text += emit::table(field, items); };
    for_each_size(constant, m);
    text += "\n    [[gnu::visibility(\"hidden\")]] static constexpr mjx::inner::Option<Real> opt{\n";
    for_each_option(member, m.opt);
    text += "    };\n    [[gnu::visibility(\"hidden\")]] static constexpr mjx::inner::Statistic<Real> stat{\n";
    for_each_statistic(member, m.stat);
    text += "    };\n\n";
    for_each_table(table, m);
    text += "\n";
    for_each_name_list(table, m);
    text += emit::table("text_data", m.text_data);
    return text + "\n" + emit::own_tables(m) + "\n" + emit::lookups() + "};\n\nusing " + name + " = " + name +
           "_of<double>;\nstatic_assert(mjx::inner::fixed_model<" + name +
           ">, \"this header was written for another version of mjx: build it again\");\n\n}  // namespace models\n";
}

}  // namespace mjx::inner
