// Holds a dump against a reference from MuJoCo.
//
// A field agrees when its largest difference, relative to one plus the largest reference value, is within its tolerance.
// Contacts and constraint rows have no promised order: both sides are sorted first.
#pragma once

#include "rooms.hpp"

#include "mjx/dump.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace conformance {

using Fields = std::map<std::string, std::vector<double>>;
using Row = std::vector<double>;

inline Fields to_fields(const mjx::Dump& dump) { return {dump.begin(), dump.end()}; }

inline double rounded(double x, double unit) { return std::round(x / unit) * unit; }

inline void sort_contacts(std::vector<double>& contact) {
    constexpr std::size_t width = 15;
    std::vector<Row> rows;
    for (std::size_t i = 0; i + width <= contact.size(); i += width)
        rows.emplace_back(contact.begin() + long(i), contact.begin() + long(i + width));
    const auto key = [](const Row& r) { return Row{r[0], r[1], rounded(r[4], 1e-5), rounded(r[5], 1e-5), rounded(r[6], 1e-5)}; };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
    contact.clear();
    for (const Row& r : rows) contact.insert(contact.end(), r.begin(), r.end());
}

// By all fields but efc_diagA, which dumps of native 3.12 do not have.
inline void sort_rows(Fields& f) {
    static constexpr const char* keys[] = {"efc_type", "efc_pos", "efc_vel", "efc_aref", "efc_D", "efc_force"};
    std::vector<std::string> names(std::begin(keys), std::end(keys));
    if (f.count("efc_diagA")) names.push_back("efc_diagA");
    const std::size_t count = f["efc_type"].size();
    std::vector<Row> rows(count);
    for (const auto& name : names) {
        if (f[name].size() != count) return;
        for (std::size_t i = 0; i < count; ++i) rows[i].push_back(f[name][i]);
    }
    const auto key = [](Row r) {
        r.resize(std::size(keys));
        for (double& x : r) x = rounded(x, 1e-6);
        return r;
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
    for (std::size_t k = 0; k < names.size(); ++k)
        for (std::size_t i = 0; i < count; ++i) f[names[k]][i] = rows[i][k];
}

// Where a reference comes from. Features with noslip stand apart: its sweeps stop where the gain is small, not where it is zero, and
// accelerations then differ by almost 1e-5.
enum class Source { features, noslip, corpus };

// Ten times the largest difference that was measured; g++ 12 and clang 16, -O1 and -O2, give the same ones. Fields that are not listed
// differ by rounding alone. In the corpus two models have rows that hardly move a dof (dofless_weld, planks), and with them forces that
// are large differences of larger numbers.
inline double tolerance(const std::string& field, Source source) {
    struct Measured {
        double features, noslip, corpus;
    };
    constexpr double rounding = 4e-15;
    static const std::map<std::string, Measured> measured = {{"actuator_acc0", {1.4e-14, rounding, 3.2e-14}},
                                                             {"actuator_force", {3.5e-13, rounding, rounding}},
                                                             {"actuator_lengthrange", {2.4e-12, rounding, 2.9e-14}},
                                                             {"actuator_velocity", {2.1e-14, rounding, rounding}},
                                                             {"body_invweight0", {2.1e-14, rounding, 1.7e-14}},
                                                             {"cacc", {1.8e-12, 1e-6, 4.3e-13}},
                                                             {"cfrc_ext", {5.7e-13, 8.7e-11, 2.7e-8}},
                                                             {"cfrc_int", {1.6e-12, 2.1e-10, 4.5e-10}},
                                                             {"dof_invweight0", {2.1e-14, rounding, 2.7e-14}},
                                                             {"efc_D", {6.3e-13, 4.9e-15, 3.1e-14}},
                                                             {"efc_aref", {3.7e-13, 1.9e-14, 1.3e-13}},
                                                             {"efc_force", {3.2e-13, 3.9e-10, 5.1e-13}},
                                                             {"efc_vel", {5.6e-15, rounding, 9.9e-15}},
                                                             {"energy", {4.7e-15, rounding, rounding}},
                                                             {"next_qpos", {rounding, 2e-11, 1.7e-14}},
                                                             {"next_qvel", {5e-14, 9.9e-9, 2.5e-14}},
                                                             {"qacc", {3.1e-12, 1e-6, 8.2e-13}},
                                                             {"qacc_smooth", {1.4e-13, rounding, 6.5e-13}},
                                                             {"qfrc_actuator", {3.7e-13, rounding, rounding}},
                                                             {"qfrc_bias", {5.6e-15, rounding, rounding}},
                                                             {"qfrc_constraint", {5.5e-13, 2.2e-9, 2.1e-8}},
                                                             {"qfrc_damper", {7.3e-15, rounding, rounding}},
                                                             {"qfrc_inverse", {1.3e-9, 3.7e-8, 7.1e-8}},
                                                             {"qfrc_passive", {7.3e-15, rounding, rounding}},
                                                             {"qfrc_smooth", {6e-14, rounding, rounding}},
                                                             {"qfrc_spring", {7.2e-15, rounding, rounding}},
                                                             {"sensordata", {8.2e-14, rounding, 3e-14}},
                                                             {"ten_velocity", {1.8e-14, rounding, rounding}},
                                                             {"tendon_invweight0", {1.4e-14, rounding, 6.8e-15}}};
    const auto found = measured.find(field);
    if (found == measured.end()) return 10 * rounding;
    const Measured& m = found->second;
    return 10 * (source == Source::features ? m.features : source == Source::noslip ? m.noslip : m.corpus);
}

// The relative difference of two fields; a missing field or a wrong size is infinitely far.
inline double difference(const std::vector<double>& reference, const std::vector<double>& got) {
    if (reference.size() != got.size()) return INFINITY;
    double scale = 1, worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        scale = std::max(scale, 1 + std::abs(reference[i]));
        const double error = std::abs(reference[i] - got[i]);
        worst = error <= worst ? worst : error;  // a NaN is kept
    }
    return worst / scale;
}

struct Verdict {
    int agree = 0, total = 0;
    std::vector<std::pair<std::string, double>> differ;
};

inline Verdict compare(Fields reference, Fields got, Source source) {
    sort_contacts(reference["contact"]);
    sort_contacts(got["contact"]);
    sort_rows(reference);
    sort_rows(got);
    Verdict v;
    for (const auto& [name, values] : reference) {
        if (values.empty()) continue;
        ++v.total;
        const double error = difference(values, got[name]);
        if (error <= tolerance(name, source))
            ++v.agree;
        else
            v.differ.emplace_back(name, error);
    }
    return v;
}

}  // namespace conformance
