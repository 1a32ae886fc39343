// Options of a model and of a sub-model attached to it that differ. <compiler conflict> says what happens: "warning" keeps the
// model's own (MuJoCo warns; mjx has nowhere to print to), "merge" takes the stricter of the two where that has a meaning or the only
// one that was written, "error" refuses. Only what the files say counts, not what they leave at its default.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

namespace conflict_policy {
enum : int { warning, merge, error };
}

template <class T, int N>
bool same(const Vec<T, N>& a, const Vec<T, N>& b) {
    for (int i = 0; i < N; ++i)
        if (a[i] != b[i]) return false;
    return true;
}
template <class T>
bool same(const T& a, const T& b) {
    return a == b;
}

// Smaller time steps and tolerances, and more iterations, are the stricter choice.
template <class T>
bool take_stricter(std::string_view name, T& own, const T& other) {
    if constexpr (std::is_arithmetic_v<T>) {
        if (name == "timestep" || name.ends_with("tolerance")) return own = std::min(own, other), true;
        if (name.ends_with("iterations") || name == "sdf_initpoints") return own = std::max(own, other), true;
    }
    return false;
}

[[gnu::cold]] inline void resolve_conflicts(Reader& r, const Element& e, const ChildModel& child) {
    if (r.conflict == conflict_policy::warning) return;
    const bool merging = r.conflict == conflict_policy::merge;
    const auto refuse = [&](const std::string& name) {
        e.fail({"option '", name, "' differs between the model and what is attached, expected equal values"});
    };
    for_each_option(
        [&](std::string_view name, auto& own, const auto& other) {
            if (name == "disableflags" || name == "enableflags" || name == "disableactuator") return;
            if (same(own, other) || !child.reader.written.options.contains(name)) return;
            if (!r.written.options.contains(name)) {
                if (merging) own = other;
            } else if (!merging || !take_stricter(name, own, other)) {
                refuse(std::string(name));
            }
        },
        r.spec.option, child.spec.option);

    const auto bits = [&](const char* name, int& own, int other, int own_written, int child_written) {
        if (merging)
            own |= other & child_written;
        else if ((own ^ other) & own_written & child_written)
            refuse(name);
    };
    Option<double>& own = r.spec.option;
    const Option<double>& other = child.spec.option;
    bits("flag", own.disableflags, other.disableflags, r.written.disableflags, child.reader.written.disableflags);
    bits("flag", own.enableflags, other.enableflags, r.written.enableflags, child.reader.written.enableflags);
    bits("actuatorgroupdisable", own.disableactuator, other.disableactuator, own.disableactuator, other.disableactuator);
}

}  // namespace mjx::inner::mjcf
