// Recording: a scene and the frames of a run; recording_html writes both with a player into one file that any browser opens.
#pragma once

#include "mjx/view/frame.hpp"
#include "mjx/view/html.hpp"
#include "mjx/view/scene_text.hpp"

#include <vector>

namespace mjx::inner::show {

struct Recording {
    Scene scene{};
    std::vector<std::string> probes{};  // names of the numbers in Frame::probes
    std::vector<Frame> frames{};
};

// Channels of equal length, each as 16-bit places between its least and greatest value. A place is written as its difference from
// the one before, and the low bytes of all stand before the high ones: both make what is compressed later smaller.
class Track {
    std::string low_bytes_{}, high_bytes_{};
    std::string channels_{};

  public:
    template <class Value>
    void add(std::size_t count, Value&& value) {
        double least = 0, most = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double x = value(i);
            if (i == 0 || x < least) least = x;
            if (i == 0 || x > most) most = x;
        }
        const double step = (most - least) / 65535;
        std::uint16_t before = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto place = static_cast<std::uint16_t>(step > 0 ? std::lround((value(i) - least) / step) : 0);
            const auto change = static_cast<std::uint16_t>(place - before);
            low_bytes_ += static_cast<char>(change & 255);
            high_bytes_ += static_cast<char>(change >> 8);
            before = place;
        }
        channels_ += (channels_.empty() ? "" : ",") + json_object({{"low", json(least)}, {"step", json(step)}});
    }
    std::string bytes() const { return low_bytes_ + high_bytes_; }
    std::string channels() const { return "[" + channels_ + "]"; }
};

// The contacts of all frames, nine numbers each (frame.hpp), as 16-bit places between the least and greatest of each kind.
class ContactTrack {
    Vec<float, 9> low_{}, step_{};
    std::vector<std::size_t> counts_{};
    Bytes places_{};

  public:
    explicit ContactTrack(const std::vector<Frame>& frames) {
        Vec<float, 9> high{};
        bool first = true;
        for (const Frame& f : frames) {
            counts_.push_back(f.contact.size() / 9);
            for (std::size_t i = 0; i < f.contact.size(); ++i) {
                const int kind = static_cast<int>(i % 9);
                const float x = f.contact[i];
                low_[kind] = first ? x : std::min(low_[kind], x);
                high[kind] = first ? x : std::max(high[kind], x);
                first = first && kind < 8;
            }
        }
        for (int k = 0; k < 9; ++k) step_[k] = (high[k] - low_[k]) / 65535;
        for (const Frame& f : frames)
            for (std::size_t i = 0; i < f.contact.size(); ++i) {
                const int kind = static_cast<int>(i % 9);
                const float place = step_[kind] > 0 ? std::round((f.contact[i] - low_[kind]) / step_[kind]) : 0;
                places_.put(static_cast<std::int16_t>(std::min(65535.0f, place) - 32768));
            }
    }
    const std::string& bytes() const { return places_.data; }
    std::string about() const { return json_object({{"low", json(low_)}, {"step", json(step_)}, {"counts", json(counts_)}}); }
};

// Bodies that the run moved; the others stay where the scene has them at rest.
inline std::vector<int> moving_bodies(const Recording& r) {
    std::vector<int> moving;
    for (std::size_t b = 0; b < r.scene.bodies.size(); ++b)
        if (r.scene.bodies[b].moves) moving.push_back(static_cast<int>(b));
    return moving;
}

inline void write_file(const std::string& path, std::string_view bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

inline std::string recording_html(const Recording& r, const std::filesystem::path& three) {
    const std::vector<int> bodies = moving_bodies(r);
    const std::size_t n = r.frames.size();
    Track track;
    for (const int b : bodies) {
        float sign = 1;  // q and -q are the same rotation: each goes on from the one before
        std::vector<float> signs(n, 1);
        const auto at = static_cast<std::size_t>(7 * b);
        for (std::size_t i = 1; i < n; ++i) {
            float turn = 0;
            for (std::size_t k = 3; k < 7; ++k) turn += r.frames[i - 1].pose[at + k] * r.frames[i].pose[at + k];
            signs[i] = sign = turn < 0 ? -sign : sign;
        }
        for (std::size_t k = 0; k < 7; ++k)
            track.add(n, [&](std::size_t i) { return static_cast<double>(r.frames[i].pose[at + k] * (k < 3 ? 1 : signs[i])); });
    }
    for (std::size_t p = 0; p < r.probes.size(); ++p) track.add(n, [&](std::size_t i) { return r.frames[i].probes[p]; });
    Bytes extra;
    for (const Frame& f : r.frames) extra.put(static_cast<float>(f.time));
    const bool tendons = !r.scene.tendon_rgba.empty();
    for (const Frame& f : r.frames) {
        if (!tendons) break;
        extra.put(static_cast<float>(f.path.size()));
        extra.put_all(f.path);
    }
    const ContactTrack contacts(r.frames);
    const SceneText scene = scene_text(r.scene);
    const std::string about = json_object({{"scene", scene.json},
                                           {"track", json_object({{"frames", json(n)},
                                                                  {"bodies", json(bodies)},
                                                                  {"channels", track.channels()},
                                                                  {"probes", json(r.probes)},
                                                                  {"contacts", contacts.about()},
                                                                  {"tendons", json(tendons)}})}});
    Embedded inside{{"mjx-scene", about},
                    {"mjx-surfaces", scene.surfaces.data},
                    {"mjx-track", track.bytes()},
                    {"mjx-contacts", contacts.bytes()},
                    {"mjx-extra", extra.data}};
    for (std::size_t i = 0; i < r.scene.pictures.size(); ++i) inside.emplace_back("mjx-picture-" + std::to_string(i), r.scene.pictures[i]);
    for (const char* const part : {"module", "core"}) {
        const std::filesystem::path file = three / ("three." + std::string(part) + ".js");
        std::error_code none;
        if (std::filesystem::exists(file, none)) inside.emplace_back("mjx-three-" + std::string(part), read_whole_file(file));
    }
    return html_page(inside);
}

}  // namespace mjx::inner::show
