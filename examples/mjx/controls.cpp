#include "controls.hpp"

#include "table.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace command {

namespace {

// "0.5" or "1,-2,3"; nothing if it is no list of numbers.
std::vector<double> numbers(const std::string& text) {
    std::vector<double> values;
    for (const char *at = text.data(), *end = at + text.size(); at <= end;) {
        double value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc() || (next != end && *next != ',')) return {};
        values.push_back(value);
        at = next + 1;
    }
    return values;
}

}  // namespace

void Controls::read(const std::string& text, const std::vector<std::string>& names) {
    const std::size_t count = names.size();
    std::vector<std::string> columns;
    if (std::vector<double> constant = numbers(text); !constant.empty()) {
        if (constant.size() == 1) constant.resize(count, constant[0]);
        rows_ = {constant};
    } else {
        Table table = read_table(text);
        rows_ = std::move(table.rows);
        columns = std::move(table.names);
        if (rows_.empty()) throw std::runtime_error("--ctrl: " + text + ": has no rows of numbers");
    }
    if (columns.empty()) {
        if (rows_[0].size() != count)
            throw std::runtime_error("--ctrl: " + std::to_string(rows_[0].size()) + " numbers, the model has " + std::to_string(count) +
                                     " controls");
        for (std::size_t i = 0; i < count; ++i) places_.push_back(static_cast<int>(i));
        return;
    }
    // A table with names may have other columns too, such as the time and joints that mjx run --csv writes.
    std::vector<std::size_t> taken;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::string name = columns[c].starts_with("ctrl.") ? columns[c].substr(5) : columns[c];
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) continue;
        taken.push_back(c);
        places_.push_back(static_cast<int>(found - names.begin()));
    }
    if (taken.empty()) throw std::runtime_error("--ctrl: " + text + ": no column is called after an actuator of the model");
    for (std::vector<double>& row : rows_) {
        std::vector<double> kept;
        for (const std::size_t c : taken) kept.push_back(row[c]);
        row = kept;
    }
}

}  // namespace command
