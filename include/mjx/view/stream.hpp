// A running simulation as the page sees it: its description, and its frames as bytes.
#pragma once

#include "mjx/view/bytes.hpp"
#include "mjx/view/frame.hpp"
#include "mjx/view/scene_text.hpp"

#include <array>
#include <vector>

namespace mjx::inner::show {

// What the page reads first: the scene, the fields it may ask for, and whether it may pause the simulation.
inline std::string about_json(const std::string& scene, const std::vector<FieldName>& fields, bool driven) {
    const auto field = [](const FieldName& f) { return "[" + json(f.name) + "," + json(f.count) + "]"; };
    return json_object({{"scene", scene}, {"fields", json_list(fields, field)}, {"driven", json(driven)}});
}

struct Clock {
    double rate = 0;  // simulated seconds per second
    bool paused = false;
    int asked = 0;  // which list of probes the frame answers
};

// Sixteen unsigned: version, bodies, controls, coordinates, path, contact and probe counts, paused + 2 asked, eight warnings; time
// and rate as doubles; probes as doubles; poses, controls, coordinates, tendon paths and contacts as floats.
inline std::string frame_bytes(const Frame& f, const Clock& clock) {
    Bytes out;
    std::array<std::uint32_t, 16> head{2};
    const std::size_t counts[] = {f.pose.size() / 7, f.ctrl.size(), f.qpos.size(), f.path.size(), f.contact.size(), f.probes.size()};
    for (std::size_t i = 0; i < 6; ++i) head[1 + i] = static_cast<std::uint32_t>(counts[i]);
    head[7] = static_cast<std::uint32_t>(clock.asked) << 1 | static_cast<std::uint32_t>(clock.paused);
    static_assert(warning::count == 8);
    for (std::size_t w = 0; w < f.warnings.size(); ++w) head[8 + w] = static_cast<std::uint32_t>(f.warnings[w]);
    out.put(head);
    out.put(f.time);
    out.put(clock.rate);
    out.put_all(f.probes);
    for (const auto* part : {&f.pose, &f.ctrl, &f.qpos, &f.path, &f.contact}) out.put_all(*part);
    return std::move(out.data);
}

}  // namespace mjx::inner::show
