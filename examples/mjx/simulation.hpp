// A simulation whose integrator and solver are chosen when it runs.
#pragma once

#include "command.hpp"

#include "mjx/data.hpp"
#include "mjx/dump.hpp"
#include "mjx/registry.hpp"
#include "mjx/simulator.hpp"

#include <cstdio>
#include <functional>

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

// Trouble on the way, and what to do about it.
template <class M, class D>
void print_warnings(const M& m, const D& d) {
    constexpr const char* names[] = {"inertia", "contacts full", "constraints full", "bad qpos", "bad qvel", "bad qacc", "bad ctrl"};
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
}

// f(integrator, solver) with the types the model asks for.
template <class M, class F>
void with_method(const M& m, F&& f) {
    bool known = true;
    const bool integrator_known = mjx::with_integrator(
        m.opt.integrator, [&](auto integrator) { known = mjx::with_solver(m.opt.solver, [&](auto solver) { f(integrator, solver); }); });
    if (!integrator_known || !known) throw std::runtime_error("the model's integrator or solver is not available");
}

// A simulator of whatever method the model asks for, with the members of mjx::Simulator that viewers and recorders use.
class AnySimulator {
  public:
    using scalar = double;

    AnySimulator(const mjx::Model<double>& model, const Options& o) : model_(model), data_(model_) {
        with_method(model_, [this](auto integrator, auto solver) {
            step_ = [this] { mjx::step<decltype(integrator), decltype(solver)>(model_, data_); };
            forward_ = [this] { mjx::forward<decltype(solver)>(model_, data_); };
        });
        start(model_, data_, o);
        forward();
    }
    AnySimulator(const AnySimulator&) = delete;
    AnySimulator& operator=(const AnySimulator&) = delete;

    void step() { step_(); }
    void forward() { forward_(); }
    void reset() { mjx::reset(model_, data_); }
    void reset_keyframe(int k) { mjx::reset_keyframe(model_, data_, k); }
    const mjx::Model<double>& model() const { return model_; }
    mjx::Data<double, mjx::Model<double>>& data() { return data_; }
    const mjx::Data<double, mjx::Model<double>>& data() const { return data_; }
    double time() const { return data_.time; }

  private:
    mjx::Model<double> model_;
    mjx::Data<double, mjx::Model<double>> data_;
    std::function<void()> step_{}, forward_{};
};

}  // namespace command
