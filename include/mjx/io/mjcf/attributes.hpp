// get(element, "attribute", field): moves a checked attribute into a field of the Spec; false and no change when it is absent.
// A list shorter than the field replaces its beginning only, so the rest keeps what a default class said. value_text() (write_values.hpp)
// is the way back.
#pragma once

#include "mjx/io/mjcf/rule.hpp"
#include "mjx/io/numbers.hpp"
#include "mjx/io/xml.hpp"
#include "mjx/math/quat.hpp"
#include "mjx/model/spec.hpp"

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
[[gnu::noinline]] bool get(const Element& e, std::string_view name, List<T>& out) {
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

// The types of values that attributes fill, by number: readers and writers have a function for each (read_value, write_value), rows none.
template <class... V>
struct value_list {
    template <class T>
    static constexpr int number() {
        static_assert((std::same_as<T, V> || ...), "add the type of this member to value_types");
        int n = 0;
        (void)((std::same_as<T, V> || (++n, false)) || ...);
        return n;
    }
};
using value_types = value_list<std::string, double, float, int, bool, Tristate, Quatd, Vec<double, 2>, Vec<double, 3>, Vec<double, 5>,
                               Vec<double, 6>, Vec<double, 10>, Vec<float, 2>, Vec<float, 3>, Vec<float, 4>, Vec<int, 2>, List<double>,
                               List<float>, List<int>, std::optional<double>, std::optional<int>, Given<Vec<double, 2>>,
                               Given<Vec<double, 3>>, Given<Vec<double, 5>>, Given<Vec<double, 6>>>;

template <class... V>
[[gnu::cold]] void read_value(value_list<V...>, int type, const Element& e, std::string_view name, void* value) {
    using Read = void (*)(const Element&, std::string_view, void*);
    static constexpr Read read[] = {[](const Element& from, std::string_view what, void* to) { get(from, what, *static_cast<V*>(to)); }...};
    read[type](e, name, value);
}

// A row of a table of attributes: what the schema says about one, or several, in the notation of schema_table.hpp, and the value it fills.
struct AttributeRow {
    const char* notation;
    int type;  // of the value; -1 where the element's own code moves it
    void* value;

    [[gnu::noinline]] std::string_view name() const {
        const std::string_view text = notation;
        return text.substr(0, text.find_first_of(":=!~"));
    }
};

// The rows of an item's table, which is a function that names them one after the other. They are data, and the values of an item: as a
// table of members of its type, each member would be functions to compile.
class AttributeRows {
  public:
    template <class Item>
    AttributeRows(void (*table)(AttributeRows&, Item&), Item& item) {
        table(*this, item);
    }
    void operator()(const char* notation) { add(notation, -1, nullptr); }
    template <class V>
    void operator()(const char* notation, V& value) {
        add(notation, value_types::number<V>(), &value);
    }
    const AttributeRow* begin() const { return rows.begin(); }
    const AttributeRow* end() const { return rows.end(); }

  private:
    List<AttributeRow> rows{};

    [[gnu::noinline]] void add(const char* notation, int type, void* value) { rows.push_back({notation, type, value}); }
};

[[gnu::cold, gnu::noinline]] inline void read_rows(const Element& e, const AttributeRows& rows) {
    for (const AttributeRow& row : rows)
        if (row.type >= 0) read_value(value_types(), row.type, e, row.name(), row.value);
}
template <class Item>
void read_attributes(const Element& e, void (&table)(AttributeRows&, Item&), Item& item) {
    read_rows(e, AttributeRows(table, item));
}

}  // namespace mjx::inner::mjcf
