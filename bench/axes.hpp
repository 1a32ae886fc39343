// One model on every axis: MuJoCo, the runtime model, the fixed model, packs. Used by step_*.cpp and kernels.cpp.
#pragma once

#include "contest.hpp"

#include "mjx/compile/load.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/model/cast.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/unconstrained.hpp"

#ifdef MJX_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

#include <memory>

namespace bench {

inline std::string scene(const std::string& name) { return std::string(MJX_SOURCE_DIR) + "/tests/models/" + name + ".xml"; }

// Controls that change every step, the same for everybody: environment e of step t gets these.
inline double fresh_control(int i, long t, int e) { return 0.3 * std::sin(0.01 * double(t) + 0.7 * i + 0.3 * e); }

#ifdef MJX_HAVE_MUJOCO
// MuJoCo with the same options as Simulator<double, Euler, Newton>, or without constraints.
struct Mujoco {
    mjModel* m = nullptr;
    mjData* d = nullptr;
    long t = 0;

    Mujoco(const std::string& path, bool constrained) {
        char error[1000] = "";
        m = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
        if (!m) throw std::runtime_error(error);
        m->opt.integrator = mjINT_EULER;
        m->opt.solver = mjSOL_NEWTON;
        if (!constrained) m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT;
        d = mj_makeData(m);
    }
    Mujoco(const Mujoco&) = delete;
    Mujoco& operator=(const Mujoco&) = delete;
    ~Mujoco() {
        mj_deleteData(d);
        mj_deleteModel(m);
    }
    void step() {
        for (int i = 0; i < m->nu; ++i) d->ctrl[i] = fresh_control(i, t, 0);
        ++t;
        mj_step(m, d);
    }
};
#endif

// A simulator that gets fresh controls every step; lane e of a pack is environment e.
template <class Sim>
struct Driven {
    Sim sim;
    long t = 0;

    template <class... Arguments>
    explicit Driven(const Arguments&... arguments) : sim(arguments...) {}

    void step() {
        using S = typename Sim::scalar;
        auto ctrl = sim.ctrl();
        for (int i = 0; i < ctrl.size(); ++i) {
            if constexpr (mjx::lanes_v<S> == 1) ctrl(i) = S(fresh_control(i, t, 0));
            else ctrl(i) = S(fresh_control(i, t, 0)) + spread<S>() * mjx::value_t<S>(0.3);
        }
        ++t;
        sim.step();
    }

  private:
    // 0, 1, 2, ... over the lanes
    template <class S>
    static S spread() {
        S s(0);
        for (int k = 0; k < mjx::lanes_v<S>; ++k) mjx::set_lane(s, k, mjx::value_t<S>(k));
        return s;
    }
};

// Adds a contestant that has simulated `settle` steps before it is timed.
template <class Sim, class... Arguments>
void enter(Contest& contest, const std::string& name, int settle, const Arguments&... arguments) {
    auto driven = std::make_shared<Driven<Sim>>(arguments...);
    for (int i = 0; i < settle; ++i) driven->step();
    contest.add(name, [driven] { driven->step(); }, mjx::lanes_v<typename Sim::scalar>);
}

// The contest of whole steps with one solver.
template <class Solver, class Fixed>
Contest step_contest(const std::string& name, int settle) {
    using mjx::Euler;
    using mjx::pack;
    using mjx::Simulator;
    constexpr bool constrained = mjx::is_constrained<Solver>;
    Contest contest(name + ": step, Euler and " + Solver::name);
#ifdef MJX_HAVE_MUJOCO
    auto mujoco = std::make_shared<Mujoco>(scene(name), constrained);
    for (int i = 0; i < settle; ++i) mujoco->step();
    contest.add("MuJoCo " + std::string(mj_versionString()), [mujoco] { mujoco->step(); });
#endif
    const mjx::Model<double> model = mjx::load_mjcf(scene(name));
    enter<Simulator<double, Euler, Solver>>(contest, "double, runtime model", settle, model);
    enter<Simulator<double, Euler, Solver, Fixed>>(contest, "double, fixed model", settle);
    enter<Simulator<pack<double>, Euler, Solver, Fixed>>(contest, "pack<double>, fixed model", settle);
    enter<Simulator<pack<float>, Euler, Solver, Fixed>>(contest, "pack<float>, fixed model", settle);
    return contest;
}

// Runs the contests, prints their tables, and writes them as JSON when a file name is given.
inline int run_all(std::vector<Contest> contests, int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "--help") {
        std::printf("usage: %s [results.json]\nTimes contestants in turns; ratios are against the first.\n", argv[0]);
        return 0;
    }
    for (Contest& c : contests) c.run(40, 0.005);
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
