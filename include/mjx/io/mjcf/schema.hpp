// Checks a tree of elements against schema_table.hpp: unknown elements and attributes, missing and surplus ones, counts, number
// formats and keywords. After check_schema(root) every element points to its rule and every value is known to be readable, so the
// code that fills the Spec only moves values.
#pragma once

#include "mjx/io/mjcf/schema_table.hpp"
#include "mjx/io/numbers.hpp"
#include "mjx/io/xml.hpp"

#include <climits>
#include <deque>
#include <map>

namespace mjx {

struct AttributeRule {
    enum class Kind { text, real, integer, keyword, keywords };
    std::string name{};
    Kind kind = Kind::text;
    int least = 1, most = 1;  // how many numbers
    std::vector<std::string> words{};
    bool required = false, in_defaults = true;
    bool ordered = true;  // keywords keep the order of the list
};

struct ChildRule {
    std::string tag{};
    const ElementRule* rule = nullptr;
    bool at_most_one = false;
};

// max1, min1 or all, over sets of attributes.
struct PresenceRule {
    std::string kind{};
    std::vector<std::vector<std::string>> sets{};
};

struct ElementRule {
    std::string name{};
    std::vector<AttributeRule> attributes{};
    std::vector<ChildRule> children{};
    std::vector<PresenceRule> conditions{};
    bool any_attribute = false, any_child = false;  // others are passed over

    const AttributeRule* attribute(std::string_view attribute_name) const {
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

namespace mjcf {

// ------------------------------------------------------------------------------------------- reading the table's notation

inline std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator) parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

inline AttributeRule parse_attribute(std::string_view word) {
    AttributeRule rule;
    for (; word.back() == '!' || word.back() == '~'; word.remove_suffix(1)) {
        if (word.back() == '!') rule.required = true;
        else rule.in_defaults = false;
    }
    const std::size_t mark = word.find_first_of(":=");
    rule.name = std::string(word.substr(0, mark));
    if (rule.name == "name" || rule.name == "class") rule.in_defaults = false;
    if (mark == std::string_view::npos) return rule;
    std::string_view type = word.substr(mark + 1);
    if (word[mark] == '=') {
        const bool several = type[0] == '+' || type[0] == '&';
        rule.kind = several ? AttributeRule::Kind::keywords : AttributeRule::Kind::keyword;
        rule.ordered = type[0] != '&';
        rule.words = split(type.substr(several ? 1 : 0), '|');
        return rule;
    }
    rule.kind = type[0] == 'i' ? AttributeRule::Kind::integer : AttributeRule::Kind::real;
    if (type[0] == 'i' || type[0] == 'd') type.remove_prefix(1);
    if (type == "*") rule.least = 0, rule.most = INT_MAX;
    else if (!type.empty()) {
        const std::vector<std::string> bounds = split(type, '-');
        rule.least = *parse_number<int>(bounds.front());
        rule.most = *parse_number<int>(bounds.back());
    }
    return rule;
}

inline const std::map<std::string, ElementRule, std::less<>>& schema() {
    static const auto rules = [] {
        std::map<std::string, ElementRule, std::less<>> map;
        for (const SchemaRow& row : schema_table) map[std::string(row.name)].name = std::string(row.name);
        for (const SchemaRow& row : schema_table) {
            ElementRule& rule = map.find(row.name)->second;
            for (const std::string_view word : split_words(row.attributes)) {
                if (word == "*") rule.any_attribute = true;
                else if (word[0] != '$') rule.attributes.push_back(parse_attribute(word));
                else for (const AttributeRule& a : map.find(word)->second.attributes) rule.attributes.push_back(a);
            }
            for (const std::string_view word : split_words(row.children)) {
                if (word == "*") {
                    rule.any_child = true;
                    continue;
                }
                if (word[0] == '$') {
                    for (const ChildRule& c : map.find(word)->second.children) rule.children.push_back(c);
                    continue;
                }
                const std::vector<std::string> names = split(word.substr(0, word.size() - 1), ':');
                rule.children.push_back({names.front(), &map.find(names.back())->second, word.back() == '?'});
            }
            if (row.conditions.empty()) continue;
            for (const std::string& condition : split(row.conditions, ';')) {
                PresenceRule presence;
                for (const std::string_view word : split_words(condition)) {
                    if (presence.kind.empty()) presence.kind = std::string(word);
                    else presence.sets.push_back(split(word, '+'));
                }
                rule.conditions.push_back(presence);
            }
        }
        return map;
    }();
    return rules;
}

// ------------------------------------------------------------------------------------------- checking

inline std::string quoted_list(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "'" : ", '") + word + "'";
    return list;
}

inline void check_numbers(const Element& e, const AttributeRule& rule, const std::string& value) {
    const bool integer = rule.kind == AttributeRule::Kind::integer;
    int count = 0;
    for_each_word(value, [&](std::string_view word) {
        if (integer ? !parse_number<int>(word) : !parse_number<double>(word))
            e.fail("attribute '" + rule.name + "': '" + std::string(word.substr(0, 40)) + "' is not " +
                   (integer ? "an integer in range" : "a finite number") + ", expected " + (integer ? "such as -12" : "such as -1.5e-3"));
        ++count;
        return true;
    });
    if (count >= rule.least && count <= rule.most) return;
    const std::string expected = rule.least == rule.most ? std::to_string(rule.least)
                                                         : std::to_string(rule.least) + " to " + std::to_string(rule.most);
    e.fail("attribute '" + rule.name + "' has " + std::to_string(count) + " numbers, expected " + expected);
}

inline void check_keywords(const Element& e, const AttributeRule& rule, const std::string& value) {
    const auto known = [&](std::string_view word) { return std::find(rule.words.begin(), rule.words.end(), word) != rule.words.end(); };
    const std::vector<std::string_view> words =
        rule.kind == AttributeRule::Kind::keyword ? std::vector<std::string_view>{value} : split_words(value);
    for (const std::string_view word : words)
        if (!known(word))
            e.fail("attribute '" + rule.name + "': unknown keyword '" + std::string(word) + "', expected " +
                   (rule.words.size() > 1 ? "one of " : "") + quoted_list(rule.words));
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto place = [&](std::string_view word) { return std::find(rule.words.begin(), rule.words.end(), word); };
        if (rule.ordered && place(words[i]) <= place(words[i - 1]))
            e.fail("attribute '" + rule.name + "': '" + value + "' repeats or misorders a keyword, expected the order " +
                   quoted_list(rule.words));
    }
}

inline void check_attributes(const Element& e, bool in_defaults) {
    const ElementRule& rule = *e.rule;
    for (const auto& [name, value] : e.attributes) {
        const AttributeRule* a = rule.attribute(name);
        if (!a && rule.any_attribute) continue;
        if (!a || (in_defaults && !a->in_defaults)) {
            std::vector<std::string> names;
            for (const AttributeRule& other : rule.attributes)
                if (!in_defaults || other.in_defaults) names.push_back(other.name);
            e.fail("unknown attribute '" + name + "'" + (in_defaults ? " in a default" : "") + ", expected " +
                   (names.empty() ? "none" : quoted_list(names)));
        }
        using Kind = AttributeRule::Kind;
        if (a->kind == Kind::real || a->kind == Kind::integer) check_numbers(e, *a, value);
        if (a->kind == Kind::keyword || a->kind == Kind::keywords) check_keywords(e, *a, value);
    }
    for (const AttributeRule& a : rule.attributes)
        if (a.required && !in_defaults && !e.has(a.name)) e.fail("missing attribute '" + a.name + "', expected it in <" + e.tag + ">");
}

inline void check_conditions(const Element& e, bool in_defaults) {
    for (const PresenceRule& condition : e.rule->conditions) {
        int touched = 0, complete = 0;
        std::vector<std::string> sets;
        for (const auto& set : condition.sets) {
            int present = 0;
            std::string joined;
            for (const std::string& name : set) {
                present += e.has(name);
                joined += (joined.empty() ? "" : " and ") + name;
            }
            sets.push_back(joined);
            touched += present > 0;
            complete += present == static_cast<int>(set.size());
        }
        const int n = static_cast<int>(condition.sets.size());
        if (condition.kind == "max1" && touched > 1) e.fail("conflicting attributes, expected at most one of " + quoted_list(sets));
        if (in_defaults) continue;  // a default need not be complete
        if (condition.kind == "min1" && complete == 0) e.fail("missing attribute, expected one of " + quoted_list(sets));
        if (condition.kind == "all" && complete != 0 && complete != n)
            e.fail("incomplete attributes, expected " + quoted_list(sets) + " together");
    }
}

// A list of numbers without a number counts as not written.
inline void drop_empty_numbers(Element& e) {
    std::erase_if(e.attributes, [&](const auto& attribute) {
        const AttributeRule* a = e.rule->attribute(attribute.first);
        const bool numbers = a && (a->kind == AttributeRule::Kind::real || a->kind == AttributeRule::Kind::integer);
        return numbers && split_words(attribute.second).empty();
    });
}

inline void check_element(Element& e, const ElementRule& rule, bool in_defaults) {
    e.rule = &rule;
    drop_empty_numbers(e);
    check_attributes(e, in_defaults);
    check_conditions(e, in_defaults);
    for (Element& child : e.children) {
        const ChildRule* found = rule.child(child.tag);
        if (!found && rule.any_child) continue;
        if (!found) {
            std::vector<std::string> tags;
            for (const ChildRule& c : rule.children) tags.push_back(c.tag);
            child.fail("unknown element <" + child.tag + "> in <" + e.tag + ">, expected " +
                       (tags.empty() ? "none" : "one of " + quoted_list(tags)));
        }
        if (found->at_most_one && child.index > 1)
            child.fail("element <" + child.tag + "> appears more than once in <" + e.tag + ">, expected at most one");
        check_element(child, *found->rule, e.tag == "default" && child.tag != "default");
    }
}

// Throws model_error at the first element that MJCF, or URDF, does not allow.
inline void check_schema(Element& root) {
    if (root.tag != "mujoco" && root.tag != "robot") root.fail("root element <" + root.tag + ">, expected <mujoco> or <robot>");
    check_element(root, schema().find(root.tag)->second, false);
}

}  // namespace mjcf
}  // namespace mjx
