// mjx run and mjx bench: simulate and time.
#include "plot.hpp"
#include "simulation.hpp"

#include <chrono>
#include <cstdio>

namespace command {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Csv {
    std::string path;
    std::FILE* file = nullptr;
    explicit Csv(const std::optional<std::string>& wanted) {
        if (!wanted) return;
        path = *wanted;
        file = std::fopen(path.c_str(), "w");
        if (!file) throw std::runtime_error(path + ": cannot be written");
    }
    Csv(const Csv&) = delete;
    Csv& operator=(const Csv&) = delete;
    ~Csv() {
        if (file) std::fclose(file);
    }
    template <class M>
    void head(const M& m) const {
        if (!file) return;
        std::fputs("time", file);
        for (int i = 0; i < m.nq; ++i) std::fprintf(file, ",qpos%d", i);
        for (int i = 0; i < m.nv; ++i) std::fprintf(file, ",qvel%d", i);
        std::fputc('\n', file);
    }
    template <class M, class D>
    void row(const M& m, const D& d) const {
        if (!file) return;
        std::fprintf(file, "%.17g", d.time);
        for (int i = 0; i < m.nq; ++i) std::fprintf(file, ",%.17g", d.qpos[i]);
        for (int i = 0; i < m.nv; ++i) std::fprintf(file, ",%.17g", d.qvel[i]);
        std::fputc('\n', file);
    }
    void finish() const {
        if (file && (std::fflush(file) != 0 || std::ferror(file))) throw std::runtime_error(path + ": cannot be written to its end");
    }
};

// Steps with `each(i)` after every step; returns the seconds it took.
template <class Each>
double simulate(const mjx::Model<double>& m, const Options& o, int steps, Each&& each) {
    double seconds = 0;
    with_method(m, [&](auto integrator, auto solver) {
        mjx::Data<double, mjx::Model<double>> d(m);
        start(m, d, o);
        const auto begin = Clock::now();
        for (int i = 0; i < steps; ++i) {
            mjx::step<decltype(integrator), decltype(solver)>(m, d);
            each(i, d);
        }
        seconds = seconds_since(begin);
        print_warnings(m, d);
    });
    return seconds;
}

}  // namespace

void run(const Options& o) {
    auto m = load(o);
    if (o.plot) m.opt.enableflags |= mjx::enable::energy;
    const int steps = o.steps.value_or(1000);
    const Csv csv(o.csv);
    csv.head(m);
    Curves curves(m);
    auto last = Clock::now();
    const double seconds = simulate(m, o, steps, [&](int i, const auto& d) {
        csv.row(m, d);
        if (o.plot) curves.add(d);
        if (seconds_since(last) < 0.2 && i + 1 < steps) return;
        last = Clock::now();
        std::fprintf(stderr, "\r%3d%%  step %d of %d, %.3f s simulated", int(100.0 * (i + 1) / steps), i + 1, steps, d.time);
    });
    if (steps > 0) std::fputc('\n', stderr);
    csv.finish();
    if (o.plot) write_svg(*o.plot, curves.charts);
    std::printf("%d steps in %.3f s: %.0f steps/s, %.1f times real time\n", steps, seconds, steps / seconds,
                steps * m.opt.timestep / seconds);
}

void bench(const Options& o) {
    const auto m = load(o);
    const int steps = o.steps.value_or(10000);
    if (steps == 0) throw std::runtime_error("--steps: nothing to time in 0 steps");
    const double seconds = simulate(m, o, steps, [](int, const auto&) {});
    const std::string& name = m.name.empty() ? o.model : m.name;
    std::printf("%s: %d steps, %.2f us per step, %.0f steps/s\n", name.c_str(), steps, 1e6 * seconds / steps, steps / seconds);
}

}  // namespace command
