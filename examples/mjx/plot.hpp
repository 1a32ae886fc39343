// The curves of a run: energies, joints, sensors.
#pragma once

#include "command.hpp"

#include "mjx/plot.hpp"

namespace command {

class Curves {
  public:
    template <class M>
    explicit Curves(const M& m) {
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

    template <class D>
    void add(const D& d) {
        std::size_t chart = 0;
        const auto put = [&](std::size_t line, auto value) { charts[chart].lines[line].second.push_back(static_cast<double>(value)); };
        for (mjx::Chart& c : charts) c.x.push_back(static_cast<double>(d.time));
        put(0, d.energy[0]);
        put(1, d.energy[1]);
        put(2, d.energy[0] + d.energy[1]);
        if (!coordinates_.empty()) ++chart;
        for (std::size_t i = 0; i < coordinates_.size(); ++i) put(i, d.qpos[coordinates_[i]]);
        if (++chart < charts.size())
            for (std::size_t i = 0; i < charts[chart].lines.size(); ++i) put(i, d.sensordata[static_cast<int>(i)]);
    }

    std::vector<mjx::Chart> charts{};

  private:
    std::vector<int> coordinates_{};
};

void write_svg(const std::string& path, const std::vector<mjx::Chart>& charts);

}  // namespace command
