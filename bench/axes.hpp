// One model on every axis: MuJoCo, the runtime model, the fixed model, packs. Used by step_*.cpp and kernels.hpp.
#pragma once

#include "contest.hpp"

#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/model.hpp"
#include "mjx/scalars.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

// Benchmarks time what lies behind the porch, too.
namespace mjx {
using namespace inner;
}

#ifdef MJX_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

#include <cstdlib>
#include <memory>

namespace bench {

inline std::string scene(const std::string& name, const std::string& folder = "tests/models/") {
    return std::string(MJX_SOURCE_DIR) + "/" + folder + name + ".xml";
}

// Controls that change every step, the same for everybody: environment e of step t gets these. Made beforehand, so that only
// reading them is timed.
// Small by default: the robots stay near where they settled. MJX_BENCH_CONTROL gives another size.
inline double amplitude() {
    static const char* given = std::getenv("MJX_BENCH_CONTROL");
    return given ? std::atof(given) : 0.05;
}
inline double fresh_control(double size, int i, long t, int e) { return size * std::sin(0.01 * double(t) + 0.7 * i + 0.3 * e); }

template <class S>
class Controls {
  public:
    // Lane k drives environment first + k.
    explicit Controls(int nu, int first = 0, double size = amplitude()) : nu_(nu), values_(static_cast<std::size_t>(nu) * period) {
        for (int t = 0; t < period; ++t)
            for (int i = 0; i < nu; ++i)
                for (int k = 0; k < mjx::lanes_v<S>; ++k)
                    mjx::set_lane(at(i, t), k, static_cast<mjx::value_t<S>>(fresh_control(size, i, t, first + k)));
    }
    S& at(int i, long t) { return values_[static_cast<std::size_t>((t % period) * nu_ + i)]; }

  private:
    static constexpr int period = 256;
    int nu_;
    std::vector<S> values_;
};

#ifdef MJX_HAVE_MUJOCO
// MuJoCo with the integrator and the solver of a Simulator, or without constraints.
struct Mujoco {
    mjModel* m = nullptr;
    mjData* d = nullptr;
    long t = 0;
    std::unique_ptr<Controls<double>> controls;

    explicit Mujoco(const std::string& path, bool constrained = true, int integrator = mjINT_EULER, int solver = mjSOL_NEWTON) {
        char error[1000] = "";
        m = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
        if (!m) throw std::runtime_error(error);
        m->opt.integrator = integrator;
        if (solver >= 0) m->opt.solver = solver;
        if (!constrained) m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT;
        d = mj_makeData(m);
        controls = std::make_unique<Controls<double>>(static_cast<int>(m->nu));
    }
    Mujoco(const Mujoco&) = delete;
    Mujoco& operator=(const Mujoco&) = delete;
    ~Mujoco() {
        mj_deleteData(d);
        mj_deleteModel(m);
    }
    void step() {
        for (int i = 0; i < m->nu; ++i) d->ctrl[i] = controls->at(i, t);
        ++t;
        mj_step(m, d);
    }
};
#endif

// A simulator that gets fresh controls every step; lane e of a pack is environment e.
template <class Sim>
struct Driven {
    Sim sim;
    Controls<typename Sim::scalar> controls;
    long t = 0;

    template <class... Arguments>
    explicit Driven(const Arguments&... arguments) : sim(arguments...), controls(sim.model().nu) {}

    void step() {
        auto ctrl = sim.ctrl();
        for (int i = 0; i < ctrl.size(); ++i) ctrl[i] = controls.at(i, t);
        ++t;
        sim.step();
    }
};

// Where a robot comes to rest: everybody starts the contest there, every lane of a pack too.
struct Rest {
    std::vector<double> qpos, qvel;
};

template <class Sim>
Rest settle(int steps) {
    auto driven = std::make_unique<Driven<Sim>>();
    for (int i = 0; i < steps; ++i) driven->step();
    const auto qpos = driven->sim.qpos(), qvel = driven->sim.qvel();
    return {{qpos.begin(), qpos.end()}, {qvel.begin(), qvel.end()}};
}

template <class Sim, class... Arguments>
void enter(Contest& contest, const std::string& name, const Rest& rest, const Arguments&... arguments) {
    auto driven = std::make_shared<Driven<Sim>>(arguments...);
    using S = typename Sim::scalar;
    for (std::size_t i = 0; i < rest.qpos.size(); ++i) driven->sim.qpos()[static_cast<int>(i)] = S(rest.qpos[i]);
    for (std::size_t i = 0; i < rest.qvel.size(); ++i) driven->sim.qvel()[static_cast<int>(i)] = S(rest.qvel[i]);
    for (int i = 0; i < 20; ++i) driven->step();
    contest.add(
        name, [driven] { driven->step(); }, mjx::lanes_v<S>);
}

// The contest of whole steps with one solver and one integrator, of those that MuJoCo 3.12 has; `rate`: steps per second that the runtime
// model is to reach.
template <class Solver, class Fixed, class Integrator = mjx::Euler>
Contest step_contest(const std::string& name, int steps_to_settle, double rate = 0) {
    using mjx::pack;
    using mjx::Simulator;
    [[maybe_unused]] constexpr bool constrained = Solver::constrained;
    Contest contest(name + ": step, " + Integrator::name + " and " + Solver::name);
    if (rate > 0) contest.expect("double, runtime model", rate);
    const Rest rest = settle<Simulator<double, Integrator, Solver, Fixed>>(steps_to_settle);
#ifdef MJX_HAVE_MUJOCO
    auto mujoco = std::make_shared<Mujoco>(scene(name), constrained, Integrator::type, Solver::type);
    std::copy(rest.qpos.begin(), rest.qpos.end(), mujoco->d->qpos);
    std::copy(rest.qvel.begin(), rest.qvel.end(), mujoco->d->qvel);
    for (int i = 0; i < 20; ++i) mujoco->step();
    contest.add("MuJoCo " + std::string(mj_versionString()), [mujoco] { mujoco->step(); });
#endif
    const mjx::Model<double> model = mjx::load_mjcf(scene(name));
    enter<Simulator<double, Integrator, Solver>>(contest, "double, runtime model", rest, model);
    enter<Simulator<double, Integrator, Solver, Fixed>>(contest, "double, fixed model", rest);
    enter<Simulator<pack<double>, Integrator, Solver, Fixed>>(contest, "pack<double>, fixed model", rest);
    enter<Simulator<pack<float>, Integrator, Solver, Fixed>>(contest, "pack<float>, fixed model", rest);
    return contest;
}

// Runs the contests, prints their tables, and writes them as JSON when a file name is given.
inline int run_all(std::vector<Contest> contests, int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "--help") {
        std::printf("usage: %s [results.json]\nTimes contestants in turns; ratios are against the first.\n", argv[0]);
        return 0;
    }
    for (Contest& c : contests) c.run(400, 0.0005);
    if (argc > 1) {
        std::FILE* file = std::fopen(argv[1], "w");
        if (!file) {
            std::fprintf(stderr, "%s: cannot be written\n", argv[1]);
            return 1;
        }
        std::fputs("[\n", file);
        for (std::size_t i = 0; i < contests.size(); ++i) contests[i].write_json(file, i + 1 == contests.size());
        std::fputs("]\n", file);
        std::fclose(file);
    }
    return 0;
}

}  // namespace bench
