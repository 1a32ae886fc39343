// mjx run and mjx bench: simulate and time.
#include "csv.hpp"
#include "plot.hpp"
#include "simulation.hpp"

#include <chrono>
#include <csignal>

namespace command {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Ctrl-C ends a run after the step it is in, with all that was asked for written.
volatile std::sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

// Steps up to the first divergence, with the time they took, and the exit code: what follows a reset is not what was asked for.
struct Outcome {
    int steps = 0, code = 0;
    double seconds = 0, time = 0;
};

// Calls `each(i, d)` after every step.
template <class M, class Each>
Outcome simulate(const M& m, const Options& o, int steps, Each&& each) {
    const Method<M> method = find_method(m);
    mjx::Data<typename M::real, M> d(m);
    start(m, d, o);
    const Controls controls(m, o);
    Outcome outcome;
    const auto begin = Clock::now();
    for (int i = 0; i < steps && !interrupted; ++i) {
        controls.apply(d, i);
        method.step(m, d);
        if (outcome.code == 0 && divergences(d) > 0) {
            outcome.code = exit_diverged;
            std::fprintf(stderr, "\ndiverged in step %d, after %.6g s; the state was reset\n", i + 1, outcome.time);
        }
        if (outcome.code == 0) {
            outcome.steps = i + 1;
            outcome.time = static_cast<double>(d.time);
            if (i + 1 == steps) outcome.seconds = seconds_since(begin);
        } else if (outcome.seconds == 0) {
            outcome.seconds = seconds_since(begin);
        }
        each(i, d);
    }
    return outcome;
}

template <class M>
int run_as(const M& m, const Options& o) {
    const int steps = o.steps.value_or(1000);
    const Csv csv(o.csv);
    csv.head(m);
    Curves curves(m);
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    int taken = 0;
    auto last = Clock::now();
    int code = 0;
    const Outcome outcome = simulate(m, o, steps, [&](int i, const auto& d) {
        csv.row(m, d);
        if (o.plot) curves.add(d);
        taken = i + 1;
        const bool end = i + 1 == steps;
        if (!end && seconds_since(last) < 0.2) return;
        last = Clock::now();
        std::fprintf(stderr, "\r%3d%%  step %d of %d, %.3f s simulated%s", int(100.0 * (i + 1) / steps), i + 1, steps,
                     static_cast<double>(d.time), end ? "\n" : "");
        if (end) code = print_warnings(m, d);
    });
    csv.finish();
    if (o.plot) write_svg(*o.plot, curves.charts);
    if (taken < steps) throw std::runtime_error("interrupted after " + std::to_string(taken) + " steps");
    const double seconds = std::max(outcome.seconds, 1e-9);
    std::printf("%d steps in %.3f s: %.0f steps/s, %.1f times real time%s\n", outcome.steps, outcome.seconds, outcome.steps / seconds,
                outcome.steps * static_cast<double>(m.opt.timestep) / seconds, code == exit_diverged ? ", until it diverged" : "");
    return code;
}

}  // namespace

int run(const Options& o) {
    auto m = load(o);
    if (o.plot) m.opt.enableflags |= mjx::enable::energy;
    return o.scalar.value_or("double") == "float" ? run_as(mjx::cast<float>(m), o) : run_as(m, o);
}

int bench(const Options& o) {
    const auto m = load(o);
    const int steps = o.steps.value_or(10000);
    if (steps == 0) throw std::runtime_error("--steps: nothing to time in 0 steps");
    int code = 0;
    const Outcome outcome = simulate(m, o, steps, [&](int i, const auto& d) {
        if (i + 1 == steps) code = print_warnings(m, d);
    });
    const std::string& name = m.name.empty() ? o.model : m.name;
    const double seconds = std::max(outcome.seconds, 1e-9);
    std::printf("%s: %d steps, %.2f us per step, %.0f steps/s\n", name.c_str(), outcome.steps, 1e6 * seconds / std::max(outcome.steps, 1),
                outcome.steps / seconds);
    return code;
}

}  // namespace command
