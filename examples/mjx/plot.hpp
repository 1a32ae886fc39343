// The curves of a run: energies, joints, sensors.
#pragma once

#include "command.hpp"

#include "mjx/data.hpp"
#include "mjx/plot.hpp"

namespace command {

class Curves {
  public:
    explicit Curves(const mjx::Model<double>& m);
    void add(const mjx::Data<double, mjx::Model<double>>& d);
    std::vector<mjx::Chart> charts{};

  private:
    std::vector<int> coordinates_{};
};

void write_svg(const std::string& path, const std::vector<mjx::Chart>& charts);

}  // namespace command
