// <size nuser_geom="2"/> and the like: no element may have more user numbers than the file makes room for. -1, and no <size>, make
// room for all there are.
#pragma once

#include "mjx/io/mjcf/reader.hpp"

namespace mjx::inner::mjcf {

// The attribute of <size> that bounds the user numbers of an element.
[[gnu::cold]] inline const char* user_size_of(const Element& e, const Element& parent) {
    static constexpr struct {
        const char* tag;
        const char* size;
    } sizes[] = {{"actuator", "nuser_actuator"}, {"sensor", "nuser_sensor"}, {"tendon", "nuser_tendon"}, {"body", "nuser_body"},
                 {"joint", "nuser_jnt"},         {"geom", "nuser_geom"},     {"site", "nuser_site"},     {"camera", "nuser_cam"}};
    for (const auto& [tag, size] : sizes)
        if (parent.tag == tag && parent.tag != "body") return size;
    for (const auto& [tag, size] : sizes)
        if (e.tag == tag) return size;
    return nullptr;
}

[[gnu::cold]] inline void check_user_sizes(const Element& parent, const NameMap& sizes) {
    for (const Element& e : parent.children) {
        if (e.tag == "default") continue;
        check_user_sizes(e, sizes);
        const char* size = e.has("user") ? user_size_of(e, parent) : nullptr;
        const int* bound = size ? sizes.find(size) : nullptr;
        if (!bound || *bound < 0) continue;
        if (const std::size_t given = split_words(e.text("user")).size(); given > static_cast<std::size_t>(*bound))
            e.fail(
                {"attribute 'user' has ", std::to_string(given), " numbers, expected at most ", std::to_string(*bound), " (", size, ")"});
    }
}

// Later <size> elements win.
[[gnu::cold]] inline void check_user_sizes(const Element& root) {
    NameMap sizes;
    for (const Element& e : root.children)
        for (const auto& [name, value] : e.attributes)
            if (e.tag == "size" && name.starts_with("nuser_")) sizes[name] = *parse_number<int>(split_words(value).front());
    if (!sizes.empty()) check_user_sizes(root, sizes);
}

}  // namespace mjx::inner::mjcf
