// What the schema says about an element: its attributes and children, as views of the table's text.
#pragma once

#include "mjx/model/list.hpp"
#include "mjx/scalar/language.hpp"

#include <algorithm>
#include <string_view>

namespace mjx::inner {

struct AttributeRule {
    enum class Kind { text, real, integer, keyword, keywords };
    std::string_view name{};
    Kind kind = Kind::text;
    int least = 1, most = 1;   // how many numbers
    std::string_view words{};  // keywords, with | between them
    bool required = false, in_defaults = true;
    bool ordered = true;  // keywords keep the order of the list

    bool is_number() const { return kind == Kind::real || kind == Kind::integer; }
    bool is_keyword() const { return kind == Kind::keyword || kind == Kind::keywords; }
    // The place of a keyword in the list, or -1.
    [[gnu::noinline]] int place(std::string_view word) const {
        std::string_view rest = words;
        for (int i = 0;; ++i) {
            const std::size_t end = std::min(rest.find('|'), rest.size());
            if (rest.substr(0, end) == word) return i;
            if (end == rest.size()) return -1;
            rest.remove_prefix(end + 1);
        }
    }
    // The keyword at a place; empty if there is none.
    [[gnu::noinline]] std::string_view word(int place) const {
        std::string_view rest = words;
        for (; place > 0 && !rest.empty(); --place) rest.remove_prefix(std::min(rest.find('|'), rest.size() - 1) + 1);
        return rest.substr(0, rest.find('|'));
    }
};

struct ElementRule;

struct ChildRule {
    std::string_view tag{};
    const ElementRule* rule = nullptr;
    bool at_most_one = false;
};

struct ElementRule {
    std::string_view name{};
    List<AttributeRule> attributes{};
    List<ChildRule> children{};
    std::string_view conditions{};
    bool any_attribute = false, any_child = false;  // others are passed over

    [[gnu::noinline]] const AttributeRule* attribute(std::string_view attribute_name) const {
        for (const AttributeRule& a : attributes)
            if (a.name == attribute_name) return &a;
        return nullptr;
    }
    const ChildRule* child(std::string_view tag) const {
        for (const ChildRule& c : children)
            if (c.tag == tag) return &c;
        return nullptr;
    }
};

}  // namespace mjx::inner
