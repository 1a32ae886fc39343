// Checks a tree of elements against schema_table.hpp: unknown elements and attributes, missing and surplus ones, counts, number
// formats and keywords. After check_schema(root) every element points to its rule and every value is known to be readable, so the
// code that fills the Spec only moves values.
#pragma once

#include "mjx/io/mjcf/schema_table.hpp"

#include <climits>

namespace mjx::inner {

namespace mjcf {

// ------------------------------------------------------------------------------------------- reading the table's notation

[[gnu::cold]] inline List<std::string_view> split(std::string_view text, char separator) {
    List<std::string_view> parts;
    for (;;) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

constexpr const char* word_of(const ActuatorKind& kind) { return kind.word; }
constexpr const char* word_of(const JointKind& kind) { return kind.name; }
constexpr const char* word_of(const ShapeRow& row) { return row.name; }
constexpr const char* word_of(const char* word) { return word; }

// The keywords of a table of kinds, with | between them. Kinds without a word, which have elements of their own, come last.
template <auto& Kinds>
constexpr auto join_words() {
    struct Words {
        char text[128];
        std::size_t size;
    } words{};
    for (const auto& kind : Kinds) {
        if (words.size > 0 && *word_of(kind)) words.text[words.size++] = '|';
        for (const char* c = word_of(kind); *c; ++c) words.text[words.size++] = *c;
    }
    return words;
}
template <auto& Kinds>
inline constexpr auto joined_words = join_words<Kinds>();

[[gnu::cold]] inline std::string_view kind_words(std::string_view table) {
    const auto view = [](const auto& words) { return std::string_view(words.text, words.size); };
    if (table == "@joint") return view(joined_words<all_joints::kinds>);
    if (table == "@shape") return view(joined_words<all_shapes::rows>);
    if (table == "@integrator") return view(joined_words<integrator_names>);
    if (table == "@solver") return view(joined_words<solver_names>);
    if (table == "@cone") return view(joined_words<cone_names>);
    if (table == "@dyn") return view(joined_words<dyn_kinds>);
    return table == "@gain" ? view(joined_words<gain_kinds>) : view(joined_words<bias_kinds>);
}

[[gnu::cold]] inline AttributeRule parse_attribute(std::string_view word) {
    AttributeRule rule;
    for (; word.back() == '!' || word.back() == '~'; word.remove_suffix(1)) {
        if (word.back() == '!')
            rule.required = true;
        else
            rule.in_defaults = false;
    }
    const std::size_t mark = word.find_first_of(":=");
    rule.name = word.substr(0, mark);
    if (rule.name == "name" || rule.name == "class") rule.in_defaults = false;
    if (mark == std::string_view::npos) return rule;
    std::string_view type = word.substr(mark + 1);
    if (word[mark] == '=') {
        const bool several = type[0] == '+' || type[0] == '&';
        rule.kind = several ? AttributeRule::Kind::keywords : AttributeRule::Kind::keyword;
        rule.ordered = type[0] != '&';
        rule.words = type[0] == '@' ? kind_words(type) : type.substr(several ? 1 : 0);
        return rule;
    }
    rule.kind = type[0] == 'i' ? AttributeRule::Kind::integer : AttributeRule::Kind::real;
    if (type[0] == 'i' || type[0] == 'd') type.remove_prefix(1);
    if (type == "*")
        rule.least = 0, rule.most = INT_MAX;
    else if (!type.empty()) {
        const List<std::string_view> bounds = split(type, '-');
        rule.least = *parse_number<int>(bounds.front());
        rule.most = *parse_number<int>(bounds.back());
    }
    return rule;
}

using Schema = List<ElementRule>;  // in the order of the table

[[gnu::cold]] inline const ElementRule& find_rule(const Schema& rules, std::string_view name) {
    std::size_t i = 0;
    while (rules[i].name != name) ++i;
    return rules[i];
}

[[gnu::cold]] inline void parse_attributes(std::string_view attributes, const Schema& rules, ElementRule& rule) {
    for (std::string_view word; take_word(attributes, word);) {
        if (word == "*")
            rule.any_attribute = true;
        else if (word[0] != '$')
            rule.attributes.push_back(parse_attribute(word));
        else
            for (const AttributeRule& a : find_rule(rules, word).attributes) rule.attributes.push_back(a);
    }
}

[[gnu::cold]] inline void parse_row(const SchemaRow& row, const Schema& rules, ElementRule& rule) {
    std::string_view children = row.children;
    parse_attributes(row.attributes, rules, rule);
    if (row.table)
        for (const AttributeRow& attribute : row.table()) parse_attributes(attribute.notation, rules, rule);
    for (std::string_view word; take_word(children, word);) {
        if (word == "*") {
            rule.any_child = true;
        } else if (word == "@sensors") {
            for (const SensorKind& kind : sensor_kinds) rule.children.push_back({kind.tag, &find_rule(rules, kind.object.rule), false});
        } else if (word[0] == '$') {
            const bool at_most_one = word.back() == '?';
            for (const ChildRule& c : find_rule(rules, word.substr(0, word.size() - at_most_one)).children)
                rule.children.push_back({c.tag, c.rule, at_most_one || c.at_most_one});
        } else {
            const List<std::string_view> names = split(word.substr(0, word.size() - 1), ':');
            rule.children.push_back({names.front(), &find_rule(rules, names.back()), word.back() == '?'});
        }
    }
    rule.conditions = row.conditions;
}

[[gnu::cold]] inline Schema parse_table() {
    constexpr std::size_t n = std::size(schema_table);
    Schema rules(n);
    for (std::size_t i = 0; i < n; ++i) rules[i].name = schema_table[i].name;
    for (std::size_t i = 0; i < n; ++i) parse_row(schema_table[i], rules, rules[i]);
    return rules;
}

// The rule of that name, which must be in the table.
[[gnu::cold]] inline const ElementRule& schema_rule(std::string_view name) {
    static const Schema rules = parse_table();
    return find_rule(rules, name);
}

// ------------------------------------------------------------------------------------------- checking

[[gnu::cold]] inline std::string quoted_list(const List<std::string_view>& words) {
    std::string list;
    for (const std::string_view word : words) list += joined({list.empty() ? "'" : ", '", word, "'"});
    return list;
}

[[gnu::cold]] inline void check_numbers(const Element& e, const AttributeRule& rule, const std::string& value) {
    const bool integer = rule.kind == AttributeRule::Kind::integer;
    int count = 0;
    std::string_view rest = value;
    for (std::string_view word; take_word(rest, word); ++count)
        if (integer ? !parse_number<int>(word) : !parse_number<double>(word))
            e.fail({"attribute '", rule.name, "': '", word.substr(0, 40), "' is not ",
                    integer ? "an integer in range, expected such as -12" : "a finite number, expected such as -1.5e-3"});
    if (count >= rule.least && count <= rule.most) return;
    const std::string least = std::to_string(rule.least), most = std::to_string(rule.most);
    const std::string expected = rule.least == rule.most ? least : least + " to " + most;
    e.fail({"attribute '", rule.name, "' has ", std::to_string(count), " numbers, expected ", expected});
}

[[gnu::cold]] inline void check_keywords(const Element& e, const AttributeRule& rule, const std::string& value) {
    const List<std::string_view> words = rule.kind == AttributeRule::Kind::keyword ? List<std::string_view>{value} : split_words(value);
    const auto known = [&] { return quoted_list(split(rule.words, '|')); };
    for (const std::string_view word : words)
        if (rule.place(word) < 0)
            e.fail({"attribute '", rule.name, "': unknown keyword '", word, "', expected ",
                    rule.words.find('|') != std::string_view::npos ? "one of " : "", known()});
    for (std::size_t i = 1; i < words.size(); ++i)
        if (rule.ordered && rule.place(words[i]) <= rule.place(words[i - 1]))
            e.fail({"attribute '", rule.name, "': '", value, "' repeats or misorders a keyword, expected the order ", known()});
}

[[gnu::cold]] inline void check_attributes(const Element& e, bool in_defaults) {
    const ElementRule& rule = *e.rule;
    for (const auto& [name, value] : e.attributes) {
        const AttributeRule* a = rule.attribute(name);
        if (!a && rule.any_attribute) continue;
        if (!a || (in_defaults && !a->in_defaults)) {
            List<std::string_view> names;
            for (const AttributeRule& other : rule.attributes)
                if (!in_defaults || other.in_defaults) names.push_back(other.name);
            e.fail({"unknown attribute '", name, "'", in_defaults ? " in a default" : "", ", expected ",
                    names.empty() ? "none" : quoted_list(names)});
        }
        if (a->is_number()) check_numbers(e, *a, value);
        if (a->is_keyword()) check_keywords(e, *a, value);
    }
    for (const AttributeRule& a : rule.attributes)
        if (a.required && !in_defaults && !e.has(a.name)) e.fail({"missing attribute '", a.name, "', expected it in <", e.tag, ">"});
}

// 'a', 'b and c' for "a b+c".
[[gnu::cold]] inline std::string quoted_sets(std::string_view sets) {
    std::string list;
    for (std::string_view set; take_word(sets, set);) {
        std::string names;
        for (const std::string_view name : split(set, '+')) names += joined({names.empty() ? "" : " and ", name});
        list += joined({list.empty() ? "'" : ", '", names, "'"});
    }
    return list;
}

// A condition is max1, min1 or all, over sets of attributes.
[[gnu::cold]] inline void check_condition(const Element& e, std::string_view condition, bool in_defaults) {
    std::string_view kind;
    take_word(condition, kind);
    int n = 0, touched = 0, complete = 0;
    std::string_view rest = condition;
    for (std::string_view set; take_word(rest, set); ++n) {
        int present = 0;
        const List<std::string_view> names = split(set, '+');
        for (const std::string_view name : names) present += e.has(name);
        touched += present > 0;
        complete += present == static_cast<int>(names.size());
    }
    if (kind == "max1" && touched > 1) e.fail({"conflicting attributes, expected at most one of ", quoted_sets(condition)});
    if (in_defaults) return;  // a default need not be complete
    if (kind == "min1" && complete == 0) e.fail({"missing attribute, expected one of ", quoted_sets(condition)});
    if (kind == "all" && complete != 0 && complete != n) e.fail({"incomplete attributes, expected ", quoted_sets(condition), " together"});
}

[[gnu::cold]] inline void check_conditions(const Element& e, bool in_defaults) {
    if (e.rule->conditions.empty()) return;
    for (const std::string_view condition : split(e.rule->conditions, ';')) check_condition(e, condition, in_defaults);
}

// A list of numbers without a number counts as not written.
[[gnu::cold]] inline void drop_empty_numbers(Element& e) {
    e.attributes.erase_if([&](const auto& attribute) {
        const AttributeRule* a = e.rule->attribute(attribute.first);
        return a && a->is_number() && attribute.second.find_first_not_of(white_space) == std::string::npos;
    });
}

[[gnu::cold]] inline void check_element(Element& e, const ElementRule& rule, bool in_defaults) {
    e.rule = &rule;
    drop_empty_numbers(e);
    check_attributes(e, in_defaults);
    check_conditions(e, in_defaults);
    for (Element& child : e.children) {
        const ChildRule* found = rule.child(child.tag);
        if (!found && rule.any_child) continue;
        if (!found) {
            List<std::string_view> tags;
            for (const ChildRule& c : rule.children) tags.push_back(c.tag);
            child.fail(
                {"unknown element <", child.tag, "> in <", e.tag, ">, expected ", tags.empty() ? "none" : "one of ", quoted_list(tags)});
        }
        if (found->at_most_one && child.index > 1)
            child.fail({"element <", child.tag, "> appears more than once in <", e.tag, ">, expected at most one"});
        check_element(child, *found->rule, e.tag == "default" && child.tag != "default");
    }
}

// Throws model_error at the first element that MJCF, or URDF, does not allow.
[[gnu::cold]] inline void check_schema(Element& root) {
    if (root.tag != "mujoco" && root.tag != "robot") root.fail({"root element <", root.tag, ">, expected <mujoco> or <robot>"});
    // names of namespaces say nothing about a model
    root.attributes.erase_if([](const auto& a) { return a.first == "xmlns" || a.first.starts_with("xmlns:"); });
    check_element(root, schema_rule(root.tag), false);
}

}  // namespace mjcf
}  // namespace mjx::inner
