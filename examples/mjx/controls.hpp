// --ctrl: one number for all controls, one for each with commas between them, or a table with a row for each step.
#pragma once

#include "command.hpp"

#include "mjx/model.hpp"

namespace command {

class Controls {
  public:
    template <class M>
    Controls(const M& m, const Options& o) {
        if (!o.ctrl) return;
        std::vector<std::string> names;
        for (int i = 0; i < m.nu; ++i) names.push_back(m.actuator_name[i]);
        read(*o.ctrl, names);
    }
    // Those of a step; the last row of a table holds on.
    template <class D>
    void apply(D& d, int step) const {
        if (rows_.empty()) return;
        const std::vector<double>& row = rows_[std::min(static_cast<std::size_t>(step), rows_.size() - 1)];
        for (std::size_t k = 0; k < places_.size(); ++k) d.ctrl[places_[k]] = static_cast<std::remove_cvref_t<decltype(d.ctrl[0])>>(row[k]);
    }

  private:
    void read(const std::string& text, const std::vector<std::string>& names);
    std::vector<std::vector<double>> rows_{};
    std::vector<int> places_{};  // the control that each column is for
};

}  // namespace command
