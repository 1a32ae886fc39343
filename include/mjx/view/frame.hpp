// Frame: what changes in a scene from moment to moment, read from the data of one environment.
#pragma once

#include "mjx/data/data.hpp"
#include "mjx/data/walk.hpp"
#include "mjx/stage/contact_force.hpp"
#include "mjx/view/scene.hpp"

#include <vector>

namespace mjx::inner::show {

// A number of Data: the place of its field in for_each_field, and which number of that field.
struct Probe {
    int field = 0, index = 0;
};

struct Frame {
    double time = 0;
    std::vector<float> pose{};  // of each body in the world: position, quaternion wxyz
    std::vector<float> ctrl{}, qpos{};
    std::vector<float> path{};  // of each tendon: the number of points, then the points; a NaN point lifts the pen
    std::vector<float> contact{};  // of each contact: point, normal, force on the second geom; world
    std::vector<double> probes{};  // what was asked for
    std::vector<int> warnings{};
};

struct Wanted {
    bool contacts = false;
    std::vector<Probe> probes{};
};

// Whether a field's items are numbers, or small vectors of them.
template <class X>
constexpr bool is_numeric() {
    using T = std::remove_cv_t<item_t<const X>>;
    return has_components<T> || scalar<T> || std::is_arithmetic_v<T>;
}

template <class X>
int numbers_in(const X& x) {
    if constexpr (is_numeric<X>()) return number_count(x);
    return 0;
}

template <class X>
double number_at(const X& x, int i, int k) {
    if constexpr (is_numeric<X>()) {
        using T = std::remove_cv_t<item_t<const X>>;
        constexpr int parts = component_count<T>();
        if (i < 0 || i >= number_count(x)) return 0;
        if constexpr (has_components<T>)
            return number(as_field(x)[i / parts][i % parts], k);
        else
            return number(as_field(x)[i], k);
    }
    return 0;
}

// The fields of Data that can be asked for, and how many numbers each has.
struct FieldName {
    std::string name{};
    int count = 0;
};
template <class D>
std::vector<FieldName> field_names(const D& d) {
    std::vector<FieldName> names;
    for_each_field([&](const char* name, auto, const auto& x) { names.push_back({name, numbers_in(x)}); }, d);
    return names;
}

template <class D>
void read_probes(const D& d, int k, const std::vector<Probe>& probes, std::vector<double>& out) {
    out.assign(probes.size(), 0);
    if (probes.empty()) return;
    int field = 0;
    for_each_field(
        [&](const char*, auto, const auto& x) {
            for (std::size_t i = 0; i < probes.size(); ++i)
                if (probes[i].field == field) out[i] = number_at(x, probes[i].index, k);
            ++field;
        },
        d);
}

template <class M, class D>
void read_tendons(const M& m, const D& d, int k, std::vector<float>& path) {
    path.clear();
    for (int t = 0; t < m.ntendon; ++t) {
        const int first = d.ten_wrapadr[t], count = d.ten_wrapnum[t];
        path.push_back(static_cast<float>(count));
        for (int i = first; i < first + count; ++i) {
            const bool lift = d.wrap_obj[i] == -2;
            for (int axis = 0; axis < 3; ++axis)
                path.push_back(lift ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(number(d.wrap_xpos[i][axis], k)));
        }
    }
}

template <class M, class D>
void read_contacts(const M& m, const D& d, int k, std::vector<float>& out) {
    out.clear();
    for (int c = 0; c < d.ncon; ++c) {
        const auto& contact = d.contact[c];
        if (!lane(contact.active, k)) continue;
        const auto force = contact_force(m, d, c);
        for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(number(contact.pos[i], k)));
        for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(number(contact.frame[i], k)));
        for (int i = 0; i < 3; ++i) {
            double sum = 0;
            for (int row = 0; row < 3; ++row) sum += number(contact.frame[3 * row + i], k) * number(force[row], k);
            out.push_back(static_cast<float>(sum));
        }
    }
}

// Lane k of the data. Poses are those that the last position stage computed.
template <class M, class D>
void read_frame(const M& m, const D& d, int k, const Wanted& wanted, Frame& frame) {
    const auto copy = [&](const auto& from, int count, std::vector<float>& to) {
        to.clear();
        for (int i = 0; i < count; ++i) to.push_back(static_cast<float>(number(from[i], k)));
    };
    frame.time = number(d.time, k);
    frame.pose.clear();
    for (int b = 0; b < m.nbody; ++b) {
        for (int i = 0; i < 3; ++i) frame.pose.push_back(static_cast<float>(number(d.xpos[b][i], k)));
        for (int i = 0; i < 4; ++i) frame.pose.push_back(static_cast<float>(number(d.xquat[b][i], k)));
    }
    copy(d.ctrl, m.nu, frame.ctrl);
    copy(d.qpos, m.nq, frame.qpos);
    read_tendons(m, d, k, frame.path);
    frame.contact.clear();
    if (wanted.contacts) read_contacts(m, d, k, frame.contact);
    read_probes(d, k, wanted.probes, frame.probes);
    frame.warnings.clear();
    for (int w = 0; w < warning::count; ++w) frame.warnings.push_back(d.warning[w * lanes_v<typename D::scalar> + k]);
}

}  // namespace mjx::inner::show
