// The trajectory of a run as a table: time, positions, velocities, controls and sensors, each called after its object.
#pragma once

#include "mjx/model.hpp"

#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace command {

// "qpos.knee", "qpos.root.3" where there are several, "qpos.#2" without a name.
template <class M>
std::vector<std::string> column_names(const M& m) {
    std::vector<std::string> names;
    const auto add = [&](const char* family, std::string name, int id, int count) {
        for (char& c : name)
            if (c == ',' || c == '"' || c == '\n') c = '_';
        const std::string stem = std::string(family) + "." + (name.empty() ? "#" + std::to_string(id) : name);
        for (int k = 0; k < count; ++k) names.push_back(count == 1 ? stem : stem + "." + std::to_string(k));
    };
    const auto& kind = [&](int j) { return M::joints::kind(m.jnt_type[j]); };
    for (int j = 0; j < m.njnt; ++j) add("qpos", m.jnt_name[j], j, kind(j).nq);
    for (int j = 0; j < m.njnt; ++j) add("qvel", m.jnt_name[j], j, kind(j).nv);
    for (int i = 0; i < m.nu; ++i) add("ctrl", m.actuator_name[i], i, 1);
    for (int s = 0; s < m.nsensor; ++s) add("sensor", m.sensor_name[s], s, m.sensor_dim[s]);
    return names;
}

class Csv {
  public:
    explicit Csv(const std::optional<std::string>& wanted) {
        if (!wanted) return;
        path_ = *wanted;
        file_ = std::fopen(path_.c_str(), "w");
        if (!file_) throw std::runtime_error(path_ + ": cannot be written");
    }
    Csv(const Csv&) = delete;
    Csv& operator=(const Csv&) = delete;
    ~Csv() {
        if (file_) std::fclose(file_);
    }
    template <class M>
    void head(const M& m) const {
        if (!file_) return;
        std::fputs("time", file_);
        for (const std::string& name : column_names(m)) std::fprintf(file_, ",%s", name.c_str());
        std::fputc('\n', file_);
    }
    template <class M, class D>
    void row(const M& m, const D& d) const {
        if (!file_) return;
        std::fprintf(file_, "%.17g", static_cast<double>(d.time));
        const auto put = [&](const auto& field, int count) {
            for (int i = 0; i < count; ++i) std::fprintf(file_, ",%.17g", static_cast<double>(field[i]));
        };
        put(d.qpos, m.nq);
        put(d.qvel, m.nv);
        put(d.ctrl, m.nu);
        put(d.sensordata, m.nsensordata);
        std::fputc('\n', file_);
        if (std::ferror(file_)) finish();
    }
    void finish() const {
        if (file_ && (std::ferror(file_) || std::fflush(file_) != 0)) throw std::runtime_error(path_ + ": cannot be written to its end");
    }

  private:
    std::string path_{};
    std::FILE* file_ = nullptr;
};

}  // namespace command
