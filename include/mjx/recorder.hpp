// Recorder: a run as a file to show around.
//
//     mjx::Recorder recorder(sim);
//     while (sim.time() < 10) { sim.step(); recorder.update(); }     // keeps 60 frames for each simulated second
//     recorder.save("run.html");                                     // scene, motion, player in one file; three.js: view/html.hpp
//     recorder.save("run.glb");                                      // glTF 2.0 with animation, for Blender and others
//
// Of a simulator of packs it records one lane: Recorder recorder(sim, {.lane = 3}). The simulator must stay where it is.
#pragma once

#include "mjx/view/glb.hpp"
#include "mjx/view/recording.hpp"

#include <functional>
#include <vector>

namespace mjx {

struct RecorderOptions {
    double fps = 60;  // frames for a second of simulated time
    int lane = 0;
    bool contacts = true;  // with their forces, for the player to show
};

class Recorder {
  public:
    template <class Sim>
        requires requires(const Sim& sim) { sim.model(), sim.data(); }
    explicit Recorder(const Sim& sim, RecorderOptions options = {}) : options_(options) {
        recording_.scene = inner::show::make_scene(sim.model());
        wanted_.contacts = options.contacts;
        choose_probes(inner::show::field_names(sim.data()));
        read_ = [&sim, lane = options.lane](const inner::show::Wanted& wanted, inner::show::Frame& frame) {
            inner::show::read_frame(sim.model(), sim.data(), lane, wanted, frame);
        };
        time_ = [&sim, lane = options.lane] { return inner::show::number(sim.time(), lane); };
    }

    // Keeps a frame when the time for the next has come.
    void update() {
        const double now = time_();
        if (!recording_.frames.empty() && now >= recording_.frames.front().time && now < next_ - 1e-9) return;
        next_ = (recording_.frames.empty() || now < recording_.frames.front().time ? now : next_) + 1 / options_.fps;
        if (next_ <= now) next_ = now + 1 / options_.fps;
        keep();
    }
    // Keeps a frame now.
    void keep() { read_(wanted_, recording_.frames.emplace_back()); }

    int frames() const { return static_cast<int>(recording_.frames.size()); }
    const inner::show::Recording& recording() const { return recording_; }

    // By the file's ending, .html or .glb. `three` is the folder of three.js, where it is not at one of the usual places.
    void save(const std::string& path, const std::string& three = {}) const {
        using namespace inner::show;
        write_file(path, is_page(path) ? recording_html(recording_, find_three(three)) : glb(recording_));
    }
    // Throws what save would for want of three.js or a known ending: for before a long run.
    static void check(const std::string& path, const std::string& three = {}) {
        if (is_page(path)) inner::show::find_three(three);
    }

  private:
    RecorderOptions options_;
    inner::show::Recording recording_{};
    inner::show::Wanted wanted_{};
    std::function<void(const inner::show::Wanted&, inner::show::Frame&)> read_{};
    std::function<double()> time_{};
    double next_ = 0;

    static bool is_page(const std::string& path) {
        const std::string ending = std::filesystem::path(path).extension().string();
        if (ending != ".html" && ending != ".glb") throw std::runtime_error(path + ": a recording is an .html or a .glb file");
        return ending == ".html";
    }

    // Energies and sensors go along, for the plots.
    void choose_probes(const std::vector<inner::show::FieldName>& fields) {
        const auto ask = [&](const std::string& field, int index, const std::string& name) {
            for (std::size_t f = 0; f < fields.size(); ++f) {
                if (fields[f].name != field || index >= fields[f].count) continue;
                wanted_.probes.push_back({static_cast<int>(f), index});
                recording_.probes.push_back(name);
            }
        };
        ask("energy", 0, "potential energy");
        ask("energy", 1, "kinetic energy");
        for (const inner::show::Sensor& s : recording_.scene.sensors)
            for (int i = 0; i < s.dim; ++i)
                ask("sensordata", s.adr + i,
                    (s.name.empty() ? "sensor " + std::to_string(s.adr) : s.name) + (s.dim > 1 ? " " + std::to_string(i) : ""));
    }
};

}  // namespace mjx
