// Holds a dump against a reference from MuJoCo.
//
// A field agrees when its largest difference, relative to one plus the largest reference value, is within the tolerance of the
// stage it comes from. Contacts and constraint rows have no promised order: both sides are sorted first.
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
    for (std::size_t i = 0; i + width <= contact.size(); i += width) rows.emplace_back(contact.begin() + long(i), contact.begin() + long(i + width));
    const auto key = [](const Row& r) { return Row{r[0], r[1], rounded(r[4], 1e-5), rounded(r[5], 1e-5), rounded(r[6], 1e-5)}; };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
    contact.clear();
    for (const Row& r : rows) contact.insert(contact.end(), r.begin(), r.end());
}

inline void sort_rows(Fields& f) {
    const char* names[] = {"efc_type", "efc_pos", "efc_vel", "efc_aref", "efc_D", "efc_force"};
    const std::size_t count = f["efc_type"].size();
    std::vector<Row> rows(count);
    for (const char* name : names) {
        if (f[name].size() != count) return;
        for (std::size_t i = 0; i < count; ++i) rows[i].push_back(f[name][i]);
    }
    const auto key = [](Row r) {
        for (double& x : r) x = rounded(x, 1e-6);
        return r;
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
    for (std::size_t k = 0; k < std::size(names); ++k)
        for (std::size_t i = 0; i < count; ++i) f[names[k]][i] = rows[i][k];
}

// 1e-9 where neither collision nor a solver is involved, 1e-7 for what depends on contacts, 1e-5 after the solver.
inline double tolerance(const std::string& field) {
    static const std::map<std::string, double> loose = {
        {"efc_type", 1e-7}, {"efc_pos", 1e-7}, {"efc_vel", 1e-7}, {"efc_aref", 1e-7}, {"efc_D", 1e-7}, {"contact", 1e-6},
        {"qfrc_passive", 1e-7}, {"qfrc_smooth", 1e-7}, {"qacc_smooth", 1e-7}, {"actuator_force", 1e-7}, {"qfrc_actuator", 1e-7},
        {"actuator_length", 1e-7}, {"actuator_velocity", 1e-7}, {"actuator_acc0", 1e-7}, {"tendon_invweight0", 1e-7},
        {"efc_force", 1e-5}, {"qfrc_constraint", 1e-5}, {"qacc", 1e-5}, {"cacc", 1e-5}, {"cfrc_int", 1e-5}, {"cfrc_ext", 1e-5},
        {"sensordata", 1e-5}, {"qfrc_inverse", 1e-5}, {"next_qpos", 1e-5}, {"next_qvel", 1e-5}, {"next_act", 1e-7},
        {"actuator_lengthrange", 1e-3}};
    const auto found = loose.find(field);
    return found == loose.end() ? 1e-9 : found->second;
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

inline Verdict compare(Fields reference, Fields got) {
    sort_contacts(reference["contact"]);
    sort_contacts(got["contact"]);
    sort_rows(reference);
    sort_rows(got);
    Verdict v;
    for (const auto& [name, values] : reference) {
        if (values.empty()) continue;
        ++v.total;
        const double error = difference(values, got[name]);
        if (error <= tolerance(name)) ++v.agree;
        else v.differ.emplace_back(name, error);
    }
    return v;
}

}  // namespace conformance
