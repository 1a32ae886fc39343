// <replicate count offset euler sep>: its contents are read once and then copied `count` times into the enclosing body, each copy
// moved and turned on from the one before, with its number appended to every name ("arm" becomes "arm_07" for sep="_", count 17).
#pragma once

#include "mjx/io/mjcf/keys.hpp"
#include "mjx/io/mjcf/namespace.hpp"

namespace mjx::inner::mjcf {

[[gnu::cold]] inline std::string copy_suffix(const std::string& separator, int count, int i) {
    const std::string last = std::to_string(count), number = std::to_string(i);
    return separator + std::string(last.size() - number.size(), '0') + number;
}

// Puts the copies of `original` into `body` and removes what referred to the original.
[[gnu::cold]] inline void replicate(Reader& r, const Element& e, const SpecBody& original, SpecBody& body) {
    int count = 0;
    Vec3d offset{{0, 0, 0}}, euler{{0, 0, 0}};
    get(e, "count", count);
    get(e, "offset", offset);
    get(e, "euler", euler);
    if (count < 0) e.fail("attribute 'count' is negative, expected zero or more");
    // a sensor that refers to nothing, such as a clock, is copied with every copy, and so are its copies: as in MuJoCo
    const bool clocks = std::any_of(r.spec.sensors.begin(), r.spec.sensors.end(),
                                    [](const SpecSensor& s) { return s.objtype == obj::unknown && s.reftype == obj::unknown; });
    const List<std::size_t> counts = count_referrers(r.spec);
    Pose pose;
    for (int i = 0; i < count; ++i) {
        count_copy(r, e);
        pose.quat = euler_to_quat(e, euler * double(i), r.angles);
        const Namespace space{.suffix = copy_suffix(e.text("sep"), count, i)};
        r.retagged.clear();
        SpecBody copy = original;
        rename_tree(r, e, space, copy, false);
        dissolve(r, std::move(copy), pose, body);
        copy_referrers(r, e, r.spec, space, clocks ? count_referrers(r.spec) : counts);
        move_keys(r);
        pose.pos += to_mat3(pose.quat) * offset;
    }
    const Names with_original = r.names;
    forget_names(r.names, original, false);
    remove_referrers(r, with_original);
}

}  // namespace mjx::inner::mjcf
