// Trouble in words: what a Simulator says when numbers go bad or room runs out, and what it does about it.
//
//     mjx: bad qacc at dof 3 (left_knee) at t = 0.64 s: state reset                        once per kind, on stderr
//     sim.on_warning([](const mjx::Warning& w) { log(w.text); });                           every time, instead of stderr
//     for (const mjx::Warning& w : sim.warnings()) ...                                      the last of each kind
//     sim.set_trouble(mjx::Trouble::error);                                                 throws mjx::simulation_error instead
//
// Data counts warnings as MuJoCo does (d.warning); this looks at the counts after each step. Builds without exceptions leave it out, and
// step(m, d), batches and kernels have nothing of it.
#pragma once

#include "mjx/model/list.hpp"
#include "mjx/model/pieces.hpp"
#include "mjx/stage/reset.hpp"

#if defined(__cpp_exceptions)

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mjx {

using inner::List;

struct Warning {
    int kind;    // mjx::warning::
    int lane;    // environment of a pack, else 0
    int count;   // how often this kind, in this lane
    double time; // of the step, s
    std::string text;
};

enum class Trouble { tell, quiet, error };

struct simulation_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace mjx

namespace mjx::inner {

// "3 (left_knee)": an index, with a name if there is one.
template <class Names>
[[gnu::cold, gnu::noinline]] std::string index_and_name(int i, const Names& names, int named) {
    if (named < 0 || named >= names.size() || names[named].empty()) return std::to_string(i);
    return joined({std::to_string(i), " (", names[named], ")"});
}

inline std::string short_number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", x);
    return text;
}

// The joint to which coordinate q belongs.
template <class M>
int joint_of_coordinate(const M& m, int q) {
    int j = 0;
    while (j + 1 < m.njnt && m.jnt_qposadr[j + 1] <= q) ++j;
    return j;
}

// How many rows a lane would have if there were room: those of contacts that found none too, as pyramids.
template <class M, class D>
int rows_wanted(const M& m, const D& d, int lane_index) {
    constexpr int lanes = lanes_v<typename D::scalar>;
    int rows = lanes > 1 ? own_rows(m, lanes) : d.nefc;
    for (int i = 0; i < d.ncon; ++i) {
        const auto& contact = d.contact[i];
        if (contact.efc_address < 0 && lane(contact_acts(contact), lane_index)) rows += contact.dim == 1 ? 1 : 2 * (contact.dim - 1);
    }
    return rows;
}

// Where room is given: in the model's file or Spec, or when a fixed model is built.
template <class M>
[[gnu::cold]] std::string how_to_raise(const M&, const char* size, const char* argument, int wanted) {
    const std::string number = std::to_string(wanted);
    if constexpr (M::is_fixed)
        return joined({"build the model with mjx_add_model(... ", argument, " ", number, ") or more"});
    else
        return joined({"raise ", size, " to ", number, " or more (<size ", size, "=\"...\"/>, Spec::", size, ")"});
}

// What happened and what was done, in one line. `more` is how many of this kind the step brought.
template <class M, class D>
[[gnu::cold]] std::string warning_text(const M& m, const D& d, int kind, int lane_index, int more, const std::string& when) {
    constexpr int lanes = lanes_v<typename D::scalar>;
    const int info = d.warning_info[kind * lanes + lane_index];
    const std::string_view after = m.opt.disabled(disable::autoreset) ? ": the state is kept" : ": state reset";
    switch (kind) {
        case warning::badqpos:
            return joined({"bad qpos at coordinate ", index_and_name(info, m.jnt_name, joint_of_coordinate(m, info)), when, after});
        case warning::badqvel: return joined({"bad qvel at dof ", index_and_name(info, m.jnt_name, m.dof_jntid[info]), when, after});
        case warning::badqacc: return joined({"bad qacc at dof ", index_and_name(info, m.jnt_name, m.dof_jntid[info]), when, after});
        case warning::badact: {
            int actuator = 0;
            for (int i = 0; i < m.nactuator; ++i)
                if (m.actuator_actadr[i] >= 0 && m.actuator_actadr[i] <= info) actuator = i;
            return joined({"bad activation ", index_and_name(info, m.actuator_name, actuator), when, after});
        }
        case warning::badctrl: {
            int actuator = 0;
            while (actuator + 1 < m.nactuator && m.actuator_ctrladr[actuator + 1] <= info) ++actuator;
            const double x = static_cast<double>(value_of(lane(d.ctrl[info], lane_index)));
            return joined({std::isnan(x) ? "NaN" : "infinite or huge number", " in ctrl ", index_and_name(info, m.actuator_name, actuator),
                           when, ": all controls were taken for 0"});
        }
        case warning::contactfull:
            return joined({"contacts full", when, ": there is room for ", std::to_string(own_contacts(m, lanes)), ", ",
                           std::to_string(more), " more were left out; ",
                           how_to_raise(m, "nconmax", "CONTACTS", own_contacts(m, lanes) + more)});
        case warning::cnstrfull: {
            const int wanted = std::max(rows_wanted(m, d, lane_index), own_rows(m, lanes) + more);
            return joined({"constraint rows full", when, ": there is room for ", std::to_string(own_rows(m, lanes)), ", the rows of ",
                           std::to_string(more), " more contacts or limits were left out; ", how_to_raise(m, "njmax", "ROWS", wanted)});
        }
        default: return joined({"inertia matrix not positive", when});
    }
}

// Looks at the counts of a Data after each step, and tells.
template <class S>
class WarningReports {
  public:
    std::function<void(const Warning&)> handler{};
    Trouble trouble = Trouble::tell;

    const List<Warning>& list() const { return list_; }

    void before(const S& time) { time_ = time; }
    template <class M, class D>
    void after(const M& m, const D& d) {
        if (std::memcmp(d.warning.data(), seen_, sizeof seen_) != 0) look(m, d);
    }

  private:
    static constexpr int lanes = lanes_v<S>, kinds = warning::count;
    int seen_[kinds * lanes] = {};
    S time_{};
    List<Warning> list_{};

    template <class M, class D>
    [[gnu::cold, gnu::noinline]] void look(const M& m, const D& d);

    // Keeps the last of each kind, at the end of the list.
    void tell(Warning w) {
        bool first = true;
        for (std::size_t i = 0; i < list_.size(); ++i)
            if (list_[i].kind == w.kind) {
                list_.erase(&list_[i--]);
                first = false;
            }
        list_.push_back(std::move(w));
        if (handler)
            handler(list_.back());
        else if (first && trouble == Trouble::tell)
            std::fprintf(stderr, "mjx: %s\n", list_.back().text.c_str());
    }
};

// Not inside the class, where it would be inline: a library may have it (compiled.hpp).
template <class S>
template <class M, class D>
void WarningReports<S>::look(const M& m, const D& d) {
    std::string error;
    for (int kind = 0; kind < kinds; ++kind)
        for (int k = 0; k < lanes; ++k) {
            const int more = d.warning[kind * lanes + k] - seen_[kind * lanes + k];
            seen_[kind * lanes + k] += more;
            if (more <= 0) continue;  // or they were cleared
            const double time = static_cast<double>(value_of(lane(time_, k)));
            std::string when = " at t = " + short_number(time) + " s";
            if (lanes > 1) when += " in lane " + std::to_string(k);
            tell({kind, k, d.warning[kind * lanes + k], time, warning_text(m, d, kind, k, more, when)});
            if (error.empty()) error = list_.back().text;
        }
    if (trouble == Trouble::error && !error.empty()) throw simulation_error("mjx: " + error);
}

}  // namespace mjx::inner

#else

namespace mjx::inner {

template <class S>
struct WarningReports {
    void before(const S&) {}
    template <class M, class D>
    void after(const M&, const D&) {}
};

}  // namespace mjx::inner

#endif
