// Folders of models: every MJCF file found below them is stepped by mjx and, where CMake finds it, by MuJoCo, from the same states.
//
// Each model starts at its first keyframe or at rest, with random controls of its own ranges, and runs on for as long as its share of the
// time allows. At eight places of this trajectory both engines take the same few steps from the same state, in turns, several times over;
// what counts is CPU time, the least of each place. The integrator and the solver are those of the file. The shares of stages are
// measured apart: MuJoCo's by its own timers, mjx's by calling the stages of step.hpp one by one. A library that has steps for wider
// registers takes less for all of them together than for each by itself; they then have the same shares of that.
//
// This program has the flags of the README's default build: what any program that links mjx::mjx has.
#include "mjx/mjx.hpp"
#include "mjx/step.hpp"

#ifdef MJX_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

#include <ctime>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr int places = 8, rounds = 5;

// Of all threads: MuJoCo compiles meshes in several.
double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}
double wall_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double timed(double (*clock)(), const auto& work) {
    const double start = clock();
    work();
    return clock() - start;
}

// Where the time of a step goes. Smooth is all that knows nothing of constraints, rest what is left: sensors, checks, integration.
enum Stage { smooth, collision, rows, solver, rest, stage_count };
constexpr const char* stage_names[stage_count] = {"smooth", "collision", "rows", "solver", "rest"};
using Stages = std::array<double, stage_count>;

// What one engine took, in seconds per step.
struct Cost {
    double step = 0, load = 0;
    Stages stages{};  // the last is found out from the others
};
struct Row {
    std::string model;
    int dofs = 0;
    double contacts = 0, rows = 0, iterations = 0;  // per step, of mjx
    Cost mjx;
    std::optional<Cost> mujoco;
    double ratio() const { return mujoco->step / mjx.step; }
};

// Controls in the ranges of the model, held for ten steps; of -1 to 1 where there is no range. Step t of any round has the same.
template <class Sim>
void set_controls(Sim& sim, long t) {
    std::mt19937_64 random(static_cast<unsigned long>(t / 10));
    for (int i = 0; i < sim.model().nu; ++i) {
        const bool limited = sim.model().actuator_ctrllimited[i] != 0;
        const double low = limited ? sim.model().actuator_ctrlrange[i][0] : -1, high = limited ? sim.model().actuator_ctrlrange[i][1] : 1;
        sim.ctrl()[i] = low + (high - low) * double(random() >> 11) / double(1ul << 53);
    }
}

#ifdef MJX_HAVE_MUJOCO
// The same model in MuJoCo.
class Mujoco {
  public:
    explicit Mujoco(const std::string& path) {
        mju_user_warning = [](const char*) {};
        mju_user_error = [](const char* text) { throw std::runtime_error(text); };
        mj_clearCache(mj_getCache());  // of assets that other models have, too
        char error[1000] = "";
        load_ = timed(cpu_seconds, [&] { m_ = mj_loadXML(path.c_str(), nullptr, error, sizeof error); });
        if (!m_) throw std::runtime_error(error);
        d_ = mj_makeData(m_);
        state_.resize(static_cast<std::size_t>(mj_stateSize(m_, mjSTATE_INTEGRATION)));
    }
    Mujoco(const Mujoco&) = delete;
    Mujoco& operator=(const Mujoco&) = delete;
    ~Mujoco() {
        mj_deleteData(d_);
        mj_deleteModel(m_);
    }
    double load_seconds() const { return load_; }
    void reset() { m_->nkey > 0 ? mj_resetDataKeyframe(m_, d_, 0) : mj_resetData(m_, d_); }

    // Comes to where a simulator is, to start from there again and again.
    template <class Sim>
    void follow(const Sim& sim) {
        if (m_->nq != sim.model().nq || m_->nv != sim.model().nv || m_->nu != sim.model().nu || m_->na != sim.model().na)
            throw std::runtime_error("MuJoCo makes a model of other sizes of it");
        const auto copy = [](const auto& from, mjtNum* to) { std::copy(from.begin(), from.end(), to); };
        d_->time = sim.time();
        copy(sim.qpos(), d_->qpos);
        copy(sim.qvel(), d_->qvel);
        copy(sim.act(), d_->act);
        std::copy_n(&sim.data().qacc_warmstart[0], m_->nv, d_->qacc_warmstart);
        mj_getState(m_, d_, state_.data(), mjSTATE_INTEGRATION);
    }
    void go_back() { mj_setState(m_, d_, state_.data(), mjSTATE_INTEGRATION); }
    void step(const auto& ctrl) {
        std::copy(ctrl.begin(), ctrl.end(), d_->ctrl);
        mj_step(m_, d_);
    }
    // Seconds that the stages took while `steps` ran.
    Stages stages(const auto& steps) {
        mjcb_time = [] { return 1e6 * wall_seconds(); };
        for (auto& timer : d_->timer) timer.duration = 0;
        steps();
        mjcb_time = nullptr;
        const auto time = [&](int timer) { return 1e-6 * d_->timer[timer].duration; };
        const double collided = time(mjTIMER_POS_COLLISION), made = time(mjTIMER_POS_MAKE) + time(mjTIMER_POS_PROJECT);
        return {time(mjTIMER_POSITION) - collided - made + time(mjTIMER_VELOCITY) + time(mjTIMER_ACTUATION), collided, made,
                time(mjTIMER_CONSTRAINT), 0};
    }

  private:
    mjModel* m_ = nullptr;
    mjData* d_ = nullptr;
    double load_ = 0;
    std::vector<mjtNum> state_;
};
#else
struct Mujoco;
#endif

// Seconds of the stages of one step at the present state, called one by one. Integrators that evaluate the forces several times do so with
// the same stages.
template <class Sim>
Stages time_stages(Sim& sim) {
    using namespace mjx::inner;
    using Used = solver_of<typename Sim::integrator, typename Sim::solver>;
    const auto& m = sim.model();
    auto& d = sim.data();
    const no_hooks hooks;
    const auto time = [](const auto& work) { return timed(wall_seconds, work); };
    Stages s{};
    s[smooth] = time([&] { forward_poses(m, d); });
    s[collision] = time([&] { mjx::inner::collision(m, d, hooks); });
    s[rows] = time([&] { make_constraint(m, d, cone_of<Used>(m), shares_rows<Used>(m)); });
    s[smooth] += time([&] { transmission(m, d); });
    s[rows] += time([&] { reference_constraint(m, d); });
    s[smooth] += time([&] { forward_velocity<Used>(m, d, hooks); }) - time([&] { reference_constraint(m, d); });
    const double forces = time([&] { actuation(m, d, hooks), acceleration(m, d); });
    s[smooth] += forces;
    s[solver] = std::max(0.0, time([&] { forward_acceleration<Used>(m, d, hooks); }) - forces);
    if (m.opt.integrator == integrator_type::rk4)
        for (double& x : s) x *= 4;
    return s;
}

void keep_least(Stages& best, const Stages& s, bool first) {
    for (int i = 0; i < stage_count; ++i) best[i] = first ? s[i] : std::min(best[i], s[i]);
}

// Both engines along one trajectory.
template <class Sim>
class Race {
  public:
    Race(Sim& sim, Mujoco* mujoco, double seconds, Row& row) : sim_(sim), mujoco_(mujoco), row_(row) {
        sim_.on_warning([](const mjx::Warning&) {});
        if (sim_.model().nkey > 0) sim_.reset_keyframe(0);
        const double one = timed(cpu_seconds, [&] { advance(5); }) / 5;
        steps_ = std::clamp(int(seconds / (4 * places * rounds) / one), 2, 50);
        between_ = std::clamp(int(seconds / (3 * places) / one), 2, 100);
    }
    void run() {
        for (int place = 0; place < places; ++place) {
            advance(between_);
            measure();
        }
        const double all = places * steps_;
        for (double* x : {&row_.contacts, &row_.rows, &row_.iterations, &row_.mjx.step}) *x /= all;
        finish(row_.mjx);
        if (row_.mujoco) {
            row_.mujoco->step /= all;
            finish(*row_.mujoco);
        }
    }

  private:
    Sim& sim_;
    Mujoco* mujoco_;
    Row& row_;
    int steps_ = 0, between_ = 0;
    long t_ = 0;

    void advance(int n) {
        for (int i = 0; i < n; ++i) {
            set_controls(sim_, t_++);
            sim_.step();
        }
    }
    static void finish(Cost& cost) {
        double known = 0;
        for (int i = 0; i < rest; ++i) known += cost.stages[i] /= places;
        for (int i = 0; i < rest && known > cost.step; ++i) cost.stages[i] *= cost.step / known;
        cost.stages[rest] = std::max(0.0, cost.step - known);
    }

    void measure() {
        const mjx::State start(sim_.data());
        std::vector<std::vector<double>> controls;
        for (int i = 0; i < steps_; ++i) {
            set_controls(sim_, t_ + i);
            controls.emplace_back(sim_.ctrl().begin(), sim_.ctrl().end());
        }
        const auto each = [&](const auto& f) {
            for (const auto& ctrl : controls) f(ctrl);
        };
        const auto go_back = [&] { start.restore(sim_.data()); };
        double best = 0, best_mujoco = 0;
        Stages stages{}, stages_mujoco{};
#ifdef MJX_HAVE_MUJOCO
        if (mujoco_) mujoco_->follow(sim_);
#endif
        for (int round = 0; round < rounds; ++round) {
            const auto keep = [&](double& least, double took) { least = round == 0 ? took : std::min(least, took); };
#ifdef MJX_HAVE_MUJOCO
            if (mujoco_) {
                mujoco_->go_back();
                keep(best_mujoco, timed(cpu_seconds, [&] { each([&](const auto& ctrl) { mujoco_->step(ctrl); }); }));
                mujoco_->go_back();
                keep_least(stages_mujoco, mujoco_->stages([&] { each([&](const auto& ctrl) { mujoco_->step(ctrl); }); }), round == 0);
            }
#endif
            go_back();
            keep(best, timed(cpu_seconds, [&] {
                     each([&](const auto& ctrl) {
                         sim_.set_ctrl(ctrl);
                         sim_.step();
                     });
                 }));
            if (round + 1 < rounds) keep_least(stages, walk(go_back, each), round == 0);
        }
        count(go_back, each);
        const auto add = [&](Cost& cost, double took, const Stages& shares) {
            cost.step += took;
            for (int i = 0; i < rest; ++i) cost.stages[i] += shares[i] / steps_;
        };
        add(row_.mjx, best, stages);
        if (row_.mujoco) add(*row_.mujoco, best_mujoco, stages_mujoco);
        t_ += steps_;
    }
    // The stages along the same steps.
    Stages walk(const auto& go_back, const auto& each) {
        go_back();
        Stages sum{};
        each([&](const auto& ctrl) {
            sim_.set_ctrl(ctrl);
            const Stages s = time_stages(sim_);
            for (int i = 0; i < stage_count; ++i) sum[i] += s[i];
            sim_.step();
        });
        return sum;
    }
    void count(const auto& go_back, const auto& each) {
        go_back();
        each([&](const auto& ctrl) {
            sim_.set_ctrl(ctrl);
            sim_.step();
            row_.contacts += sim_.data().ncon;
            row_.rows += sim_.data().nefc;
            row_.iterations += sim_.data().solver_niter;
        });
    }
};

Row measure_model(const std::string& path, double seconds) {
    Row row;
    row.model = path;
    std::optional<mjx::Model<double>> model;
    row.mjx.load = timed(cpu_seconds, [&] { model = mjx::load_mjcf(path); });
    row.dofs = model->nv;
    if (row.dofs == 0) throw std::runtime_error("nothing in it moves");
    Mujoco* rival = nullptr;
#ifdef MJX_HAVE_MUJOCO
    Mujoco mujoco(path);
    mujoco.reset();
    row.mujoco = Cost{};
    row.mujoco->load = mujoco.load_seconds();
    rival = &mujoco;
#endif
    mjx::simulate(*model, [&](auto& sim) { Race(sim, rival, seconds, row).run(); });
    return row;
}

std::string shares(const Cost& cost) {
    std::string text;
    char part[16];
    for (const double s : cost.stages) {
        std::snprintf(part, sizeof part, "%s%2.0f", text.empty() ? "" : " ", 100 * s / cost.step);
        text += part;
    }
    return text;
}

void print_row(const Row& r) {
    std::printf("%5d %6.1f %6.1f %5.1f ", r.dofs, r.contacts, r.rows, r.iterations);
    if (r.mujoco)
        std::printf("%9.2f %9.2f %5.2fx  %-14s  %-14s %8.1f %8.1f", 1e6 * r.mujoco->step, 1e6 * r.mjx.step, r.ratio(),
                    shares(*r.mujoco).c_str(), shares(r.mjx).c_str(), 1e3 * r.mujoco->load, 1e3 * r.mjx.load);
    else
        std::printf("%9.2f  %-14s %8.1f", 1e6 * r.mjx.step, shares(r.mjx).c_str(), 1e3 * r.mjx.load);
    std::printf("  %s\n", r.model.c_str());
    std::fflush(stdout);
}

void print_head() {
    std::printf("Microseconds per step; shares in percent: smooth dynamics, collision, rows, solver, rest; milliseconds to load.\n");
#ifdef MJX_HAVE_MUJOCO
    std::printf("%5s %6s %6s %5s %9s %9s %6s  %-14s  %-14s %8s %8s  MuJoCo %s\n", "dofs", "cont.", "rows", "iter.", "MuJoCo", "mjx", "",
                "MuJoCo's", "mjx's", "MuJoCo", "mjx", mj_versionString());
#else
    std::printf("%5s %6s %6s %5s %9s  %-14s %8s\n", "dofs", "cont.", "rows", "iter.", "mjx", "shares", "load");
#endif
}

void write_csv(const std::string& path, const std::vector<Row>& table) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (!file) throw std::runtime_error(path + ": cannot be written");
    std::fprintf(file, "model,dofs,contacts,rows,iterations,us,load_ms");
    for (const char* name : stage_names) std::fprintf(file, ",us_%s", name);
    std::fprintf(file, ",mujoco_us,ratio,mujoco_load_ms");
    for (const char* name : stage_names) std::fprintf(file, ",mujoco_us_%s", name);
    for (const Row& r : table) {
        std::fprintf(file, "\n%s,%d,%.2f,%.2f,%.2f,%.3f,%.3f", r.model.c_str(), r.dofs, r.contacts, r.rows, r.iterations, 1e6 * r.mjx.step,
                     1e3 * r.mjx.load);
        for (const double s : r.mjx.stages) std::fprintf(file, ",%.3f", 1e6 * s);
        if (!r.mujoco) continue;
        std::fprintf(file, ",%.3f,%.4f,%.3f", 1e6 * r.mujoco->step, r.ratio(), 1e3 * r.mujoco->load);
        for (const double s : r.mujoco->stages) std::fprintf(file, ",%.3f", 1e6 * s);
    }
    std::fputc('\n', file);
    std::fclose(file);
}

void print_summary(std::vector<Row> table, const std::vector<std::string>& skipped) {
    for (const std::string& line : skipped) std::printf("left out: %s\n", line.c_str());
    std::printf("%zu models, %zu files left out\n", table.size(), skipped.size());
    std::erase_if(table, [](const Row& r) { return !r.mujoco; });
    if (table.empty()) return;
    const auto tell = [&](const char* what, const auto& ratio) {
        std::sort(table.begin(), table.end(), [&](const Row& a, const Row& b) { return ratio(a) < ratio(b); });
        std::printf("%s: median %.2fx, worst %.2fx (%s), best %.2fx (%s)\n", what, ratio(table[table.size() / 2]), ratio(table.front()),
                    table.front().model.c_str(), ratio(table.back()), table.back().model.c_str());
    };
    tell("steps as fast as MuJoCo's", [](const Row& r) { return r.ratio(); });
    tell("loading as fast as MuJoCo's", [](const Row& r) { return r.mujoco->load / r.mjx.load; });
}

std::vector<std::string> find_models(const std::vector<std::string>& given) {
    std::vector<std::string> files;
    for (const std::string& place : given) {
        if (!fs::is_directory(place)) {
            files.push_back(place);
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(place))
            if (entry.is_regular_file() && entry.path().extension() == ".xml") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> given;
    std::string csv;
    double seconds = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--seconds" && i + 1 < argc)
            seconds = std::atof(argv[++i]);
        else if (word == "--csv" && i + 1 < argc)
            csv = argv[++i];
        else if (word.starts_with("--"))
            given.clear(), i = argc;
        else
            given.push_back(word);
    }
    if (given.empty()) {
        std::printf("usage: %s DIR|FILE... [--seconds S] [--csv out.csv]\nTimes steps of every model, about S seconds each (1).\n",
                    argv[0]);
        return argc > 1 && std::string(argv[1]) == "--help" ? 0 : 1;
    }
    std::vector<Row> table;
    std::vector<std::string> skipped;
    print_head();
    for (const std::string& path : find_models(given)) {
        try {
            table.push_back(measure_model(path, seconds));
            print_row(table.back());
        } catch (const std::exception& e) {
            const std::string why = first_line(e.what());
            skipped.push_back(why.starts_with(path) ? why : path + ": " + why);
        }
    }
    if (!csv.empty()) write_csv(csv, table);
    print_summary(table, skipped);
    return 0;
}
