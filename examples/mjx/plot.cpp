// mjx plot, and the curves of mjx run --plot.
#include "plot.hpp"

#include "table.hpp"

#include <fstream>

namespace command {

namespace {

// qpos.knee and qpos12 belong to qpos.
std::string family(const std::string& name) {
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) return name.substr(0, dot);
    const std::size_t end = name.find_last_not_of("0123456789 ");
    return end == std::string::npos ? name : name.substr(0, end + 1);
}

}  // namespace

void write_svg(const std::string& path, const std::vector<mjx::Chart>& charts) {
    std::ofstream file(path);
    file << mjx::svg(charts);
    file.close();
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

int plot(const Options& o) {
    const Table table = read_table(o.model);
    const std::vector<std::string>& names = table.names;
    if (names.size() < 2)
        throw std::runtime_error(o.model + ": line 1: expected the names of at least two columns, with commas between them");
    std::vector<std::vector<double>> columns(names.size());
    for (const std::vector<double>& row : table.rows)
        for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
    std::vector<mjx::Chart> charts;
    for (std::size_t c = 1; c < names.size(); ++c) {
        if (charts.empty() || charts.back().title != family(names[c])) charts.push_back({family(names[c]), columns[0], {}});
        charts.back().lines.emplace_back(names[c], columns[c]);
    }
    write_svg(*o.output, charts);
    std::printf("%s: %zu charts of %zu rows\n", o.output->c_str(), charts.size(), columns[0].size());
    return 0;
}

}  // namespace command
