// Commands: what a page may ask of a simulation. A message is one line of text; whatever is not exactly one of them is dropped.
//
//     pause   run   step   reset   release           key K        speed X        ctrl I X        contacts 0|1
//     pull BODY px py pz tx ty tz                    the point p of the body, in its frame, is drawn to t in the world
//     probes N field:index field:index ...           numbers of Data to send along; N comes back with them
#pragma once

#include "mjx/view/frame.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace mjx::inner::show {

enum class Ask { pause, run, step, reset, release, key, speed, ctrl, contacts, pull, probes };

struct Command {
    Ask ask = Ask::run;
    int index = 0;
    double value[6] = {};
    std::vector<Probe> probes{};
};

// What the numbers of a command may be.
struct CommandLimits {
    int bodies = 0, controls = 0, keys = 0;
    std::vector<FieldName> fields{};
};

inline constexpr std::size_t most_command_bytes = 1024;
inline constexpr std::size_t most_probes = 32;
inline constexpr double largest_command = 1e6;

class CommandReader {
    std::string_view rest_;
    bool good_ = true;

  public:
    explicit CommandReader(std::string_view text) : rest_(text) {}

    std::string_view word() {
        const std::size_t end = std::min(rest_.find(' '), rest_.size());
        const std::string_view found = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        good_ = good_ && !found.empty();
        return found;
    }
    template <class T>
    static bool parse(std::string_view text, T& out) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
        return error == std::errc() && end == text.data() + text.size();
    }
    int below(int limit) {
        int x = 0;
        good_ = parse(word(), x) && good_ && x >= 0 && x < limit;
        return x;
    }
    double number(double low, double high) {
        double x = 0;
        good_ = parse(word(), x) && good_ && x >= low && x <= high;  // false for NaN
        return x;
    }
    // field:index
    Probe probe(const std::vector<FieldName>& fields) {
        const std::string_view text = word();
        const std::size_t colon = std::min(text.find(':'), text.size());
        Probe found;
        for (std::size_t f = 0; f < fields.size(); ++f) {
            if (fields[f].name != text.substr(0, colon)) continue;
            found.field = static_cast<int>(f);
            const bool known = colon < text.size() && parse(text.substr(colon + 1), found.index);
            good_ = good_ && known && found.index >= 0 && found.index < fields[f].count;
            return found;
        }
        good_ = false;
        return found;
    }
    bool more() const { return good_ && !rest_.empty(); }
    bool done() const { return good_ && rest_.empty(); }
};

inline std::optional<Command> parse_command(std::string_view text, const CommandLimits& limits) {
    constexpr std::pair<std::string_view, Ask> words[] = {{"pause", Ask::pause},       {"run", Ask::run},         {"step", Ask::step},
                                                          {"reset", Ask::reset},       {"release", Ask::release}, {"key", Ask::key},
                                                          {"speed", Ask::speed},       {"ctrl", Ask::ctrl},       {"pull", Ask::pull},
                                                          {"contacts", Ask::contacts}, {"probes", Ask::probes}};
    if (text.size() > most_command_bytes || text.ends_with(' ')) return {};
    CommandReader reader(text);
    const std::string_view first = reader.word();
    for (const auto& [word, ask] : words) {
        if (first != word) continue;
        Command c;
        c.ask = ask;
        if (ask == Ask::key) c.index = reader.below(limits.keys);
        if (ask == Ask::speed) c.value[0] = reader.number(1e-3, 1e3);
        if (ask == Ask::contacts) c.index = reader.below(2);
        if (ask == Ask::ctrl) {
            c.index = reader.below(limits.controls);
            c.value[0] = reader.number(-largest_command, largest_command);
        }
        if (ask == Ask::pull) {
            c.index = reader.below(limits.bodies);
            for (double& x : c.value) x = reader.number(-largest_command, largest_command);
        }
        if (ask == Ask::probes) {
            c.index = reader.below(1 << 30);
            while (reader.more() && c.probes.size() < most_probes) c.probes.push_back(reader.probe(limits.fields));
        }
        if (reader.done()) return c;
    }
    return {};
}

}  // namespace mjx::inner::show
