// mjx plot, and the curves of mjx run --plot.
#include "plot.hpp"

#include <charconv>
#include <fstream>
#include <sstream>

namespace command {

namespace {

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells;
    std::stringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
    if (!cells.empty() && !cells.back().empty() && cells.back().back() == '\r') cells.back().pop_back();
    return cells;
}

// qpos12 belongs to qpos.
std::string family(const std::string& name) {
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

void plot(const Options& o) {
    std::ifstream file(o.model);
    std::string line;
    if (!std::getline(file, line)) throw std::runtime_error(o.model + ": cannot be read, or is empty");
    const std::vector<std::string> names = split(line);
    if (names.size() < 2) throw std::runtime_error(o.model + ": line 1: expected at least two columns with commas between them");
    std::vector<std::vector<double>> columns(names.size());
    for (int n = 2; std::getline(file, line); ++n) {
        if (line.empty()) continue;
        const std::vector<std::string> cells = split(line);
        const std::string where = o.model + ": line " + std::to_string(n) + ": ";
        if (cells.size() != names.size())
            throw std::runtime_error(where + std::to_string(cells.size()) + " columns, expected " + std::to_string(names.size()));
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const auto [end, error] = std::from_chars(cells[c].data(), cells[c].data() + cells[c].size(), columns[c].emplace_back());
            if (error != std::errc() || end != cells[c].data() + cells[c].size())
                throw std::runtime_error(where + "'" + cells[c].substr(0, 40) + "' is not a number");
        }
    }
    std::vector<mjx::Chart> charts;
    for (std::size_t c = 1; c < names.size(); ++c) {
        if (charts.empty() || charts.back().title != family(names[c])) charts.push_back({family(names[c]), columns[0], {}});
        charts.back().lines.emplace_back(names[c], columns[c]);
    }
    write_svg(*o.output, charts);
    std::printf("%s: %zu charts of %zu rows\n", o.output->c_str(), charts.size(), columns[0].size());
}

Curves::Curves(const mjx::Model<double>& m) {
    charts.push_back({"energy (J)", {}, {{"potential", {}}, {"kinetic", {}}, {"sum", {}}}});
    mjx::Chart joints{"joints (rad, m)", {}, {}}, sensors{"sensors", {}, {}};
    for (int j = 0; j < m.njnt; ++j)
        if (m.jnt_type[j] == mjx::jnt::hinge || m.jnt_type[j] == mjx::jnt::slide) {
            joints.lines.emplace_back(m.jnt_name[j].empty() ? "joint " + std::to_string(j) : m.jnt_name[j], std::vector<double>{});
            coordinates_.push_back(m.jnt_qposadr[j]);
        }
    for (int s = 0; s < m.nsensor; ++s)
        for (int i = 0; i < m.sensor_dim[s]; ++i)
            sensors.lines.emplace_back(m.sensor_name[s] + (m.sensor_dim[s] > 1 ? " " + std::to_string(i) : ""), std::vector<double>{});
    if (!joints.lines.empty()) charts.push_back(joints);
    if (!sensors.lines.empty()) charts.push_back(sensors);
}

void Curves::add(const mjx::Data<double, mjx::Model<double>>& d) {
    std::size_t chart = 0;
    const auto put = [&](std::size_t line, double value) { charts[chart].lines[line].second.push_back(value); };
    for (mjx::Chart& c : charts) c.x.push_back(d.time);
    put(0, d.energy[0]);
    put(1, d.energy[1]);
    put(2, d.energy[0] + d.energy[1]);
    if (!coordinates_.empty()) ++chart;
    for (std::size_t i = 0; i < coordinates_.size(); ++i) put(i, d.qpos[coordinates_[i]]);
    if (++chart < charts.size())
        for (std::size_t i = 0; i < charts[chart].lines.size(); ++i) put(i, d.sensordata[static_cast<int>(i)]);
}

}  // namespace command
