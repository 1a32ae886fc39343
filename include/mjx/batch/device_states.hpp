// DeviceStates: what a batch on a device keeps of its environments, as its kernels see it.
//
// The state (data/state.hpp), sensordata, warnings with what they were last about, and the contacts that the solver remembers: a Data into
// which an environment is loaded goes on where it was stored, whatever else that Data holds. Structure of arrays: a number of all
// environments lies in one row, so that work items side by side read addresses side by side.
#pragma once

#include "mjx/data/contact.hpp"
#include "mjx/data/walk.hpp"

namespace mjx::inner {

template <class S, class D>
struct DeviceStates {
    S* numbers;
    int* integers;  // warnings come first
    int environments;

    // f(name, section, field) for the fields that are kept.
    template <class F>
    static void for_each_kept(F&& f, D& d) {
        f("warning", Section::warning, d.warning);
        f("warning_info", Section::warning, d.warning_info);
        for_each_state_field(f, d);
        f("sensordata", Section::post, d.sensordata);
    }
    // How many rows of numbers and of integers there are.
    struct Rows {
        int numbers = 0, integers = 0;
    };
    static Rows rows(D& d) {
        Rows rows;
        for_each_kept([&](const char*, Section,
                          const auto& x) { (is_switch_v<item_t<decltype(x)>> ? rows.integers : rows.numbers) += number_count(x); },
                      d);
        rows.numbers += d.cache.size() * 9;
        rows.integers += d.cache.size() > 0 ? 1 + d.cache.size() * 2 : 0;
        return rows;
    }

    void load(D& d, int e) const {
        d.ncon = d.nefc = d.nblock = d.nJ = d.nisland = d.ncache = 0;  // without constraints nobody counts them
        visit(d, e, [](auto& in_data, const auto& kept) { in_data = kept; });
    }
    void store(D& d, int e) const {
        visit(d, e, [](const auto& in_data, auto& kept) { kept = in_data; });
    }

  private:
    // f(number in Data, the same where it is kept).
    template <class F>
    void visit(D& d, int e, F&& f) const {
        S* number = numbers + e;
        int* integer = integers + e;
        const auto take = [&](auto& x) {
            if constexpr (is_switch_v<decltype(x)>) {
                f(x, *integer);
                integer += environments;
            } else {
                f(x, *number);
                number += environments;
            }
        };
        for_each_kept([&](const char*, Section, auto& x) { for_each_number(take, x); }, d);
        if (d.cache.size() == 0) return;
        take(d.ncache);  // before the contacts: so many of them are kept
        for (int c = 0; c < d.ncache; ++c) {
            CachedContact<S>& contact = d.cache[c];
            for (int i = 0; i < 3; ++i) take(contact.cell[i]);
            for (int i = 0; i < 6; ++i) take(contact.force[i]);
            take(contact.geom1);
            take(contact.geom2);
        }
    }
};

}  // namespace mjx::inner
