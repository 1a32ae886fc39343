// A simulation as the options want it: its start, its controls, its warnings.
#pragma once

#include "command.hpp"
#include "controls.hpp"
#include "method.hpp"

#include "mjx/dump.hpp"
#include "mjx/simulator.hpp"

#include <cstdio>
#include <stdexcept>

namespace command {

// Sets the state the options ask for.
template <class M, class D>
void start(const M& m, D& d, const Options& o) {
    mjx::reset(m, d);
    if (o.key) {
        int k = -1;
        for (int i = 0; i < m.nkey; ++i)
            if (m.key_name[i] == *o.key || std::to_string(i) == *o.key) k = i;
        if (k < 0) throw std::runtime_error("--key: the model has " + std::to_string(m.nkey) + " keyframes and none is '" + *o.key + "'");
        mjx::reset_keyframe(m, d, k);
    }
    if (o.state) mjx::apply_state(m, d, mjx::read_dump(*o.state), *o.state);
}

// How often bad numbers made the simulation start again.
template <class D>
int divergences(const D& d) {
    return d.warning[mjx::warning::badqpos] + d.warning[mjx::warning::badqvel] + d.warning[mjx::warning::badqacc] +
           d.warning[mjx::warning::badact];
}

// Trouble on the way, and what to do about it; gives the exit code.
template <class M, class D>
int print_warnings(const M& m, const D& d) {
    constexpr const char* names[] = {"inertia",  "contacts full", "constraints full", "bad qpos",
                                     "bad qvel", "bad qacc",      "bad ctrl",         "bad act"};
    for (int w = 0; w < mjx::warning::count; ++w)
        if (d.warning[w] > 0) std::fprintf(stderr, "warning: %s, %d times\n", names[w], d.warning[w]);
    const auto advise = [&](int w, int room, const char* what, const char* attribute) {
        if (d.warning[w] > 0)
            std::fprintf(
                stderr, "  a step has room for %d %s and the others were dropped: give the model <size %s=\"...\"/> with a larger number\n",
                room, what, attribute);
    };
    advise(mjx::warning::contactfull, m.nconmax, "contacts", "nconmax");
    advise(mjx::warning::cnstrfull, m.njmax, "constraint rows", "njmax");
    return divergences(d) > 0 ? exit_diverged : 0;
}

// A simulator of whatever method the model asks for, with the members of mjx::Simulator that viewers and recorders use.
class AnySimulator {
  public:
    using scalar = double;

    AnySimulator(const mjx::Model<double>& model, const Options& o) : model_(model), data_(model_), method_(find_method(model_)) {
        start(model_, data_, o);
        forward();
    }
    AnySimulator(const AnySimulator&) = delete;
    AnySimulator& operator=(const AnySimulator&) = delete;

    void step() { method_.step(model_, data_); }
    void forward() { method_.forward(model_, data_); }
    void reset() { mjx::reset(model_, data_); }
    void reset_keyframe(int k) { mjx::reset_keyframe(model_, data_, k); }
    const mjx::Model<double>& model() const { return model_; }
    mjx::Data<double, mjx::Model<double>>& data() { return data_; }
    const mjx::Data<double, mjx::Model<double>>& data() const { return data_; }
    double time() const { return data_.time; }

  private:
    mjx::Model<double> model_;
    mjx::Data<double, mjx::Model<double>> data_;
    Method<mjx::Model<double>> method_;
};

}  // namespace command
