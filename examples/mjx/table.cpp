#include "table.hpp"

#include <charconv>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace command {

namespace {

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',')
            cells.emplace_back();
        else if (c != '\r')
            cells.back() += c;
    }
    return cells;
}

std::optional<double> number(const std::string& cell) {
    const std::size_t from = cell.find_first_not_of(" \t"), to = cell.find_last_not_of(" \t") + 1;
    if (from == std::string::npos) return {};
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data() + from, cell.data() + to, value);
    if (error != std::errc() || end != cell.data() + to) return {};
    return value;
}

}  // namespace

Table read_table(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    Table table;
    std::size_t columns = 0;
    for (int n = 1; std::getline(file, line); ++n) {
        if (line.empty() || line == "\r") continue;
        const std::vector<std::string> cells = split(line);
        if (columns == 0) columns = cells.size();
        if (table.names.empty() && table.rows.empty() && !number(cells[0])) {
            table.names = cells;
            continue;
        }
        const std::string where = path + ": line " + std::to_string(n) + ": ";
        if (cells.size() != columns)
            throw std::runtime_error(where + std::to_string(cells.size()) + " columns, expected " + std::to_string(columns));
        std::vector<double>& row = table.rows.emplace_back();
        for (const std::string& cell : cells) {
            const auto value = number(cell);
            if (!value) throw std::runtime_error(where + "'" + cell + "' is not a number");
            row.push_back(*value);
        }
    }
    if (columns == 0) throw std::runtime_error(path + ": cannot be read, or is empty");
    return table;
}

}  // namespace command
