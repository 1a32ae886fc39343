// Tables of numbers as text: a line of names, then rows, with commas between the cells.
#pragma once

#include <string>
#include <vector>

namespace command {

struct Table {
    std::vector<std::string> names{};
    std::vector<std::vector<double>> rows{};
};

// Trouble is a std::runtime_error that says where. Without a line of names the columns have none.
Table read_table(const std::string& path);

}  // namespace command
