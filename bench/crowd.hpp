// A crowd: environments each in a pose of its own under random controls of its own, the real use of packs, which carry the contacts of all
// their lanes. Used by crowd_*.cpp.
//
// Controls are even random numbers, drawn anew every `hold` steps, or none at all for environments at rest, which are all in one pose.
// Everybody begins each round of `turn` steps at the same states, which the fixed model reached from its rest under such controls; what the
// steps had (contacts, rows, iterations, the gradient at their end) is counted in a round that is not timed. Rows and iterations of a pack
// are those of all its lanes together. Everybody, MuJoCo too, has one Data, as a thread of a batch has, into which the states of its
// environments are put one after the other.
#pragma once

#include "axes.hpp"

namespace bench {

struct Crowd {
    static constexpr int size = 64, turn = 16;
    std::string name, folder;
    double control;
    int steps_to_settle;
    int hold = 5;

    bool rests() const { return control == 0; }
    std::string title() const {
        const std::string step = name + ": step, Euler and Newton, ";
        if (rests()) return step + "every environment at rest in the same pose";
        const std::string every = hold == 1 ? "step" : std::to_string(hold) + " steps";
        return step + "every environment in a pose of its own under random controls, new ones every " + every;
    }
};

// What environment e is given for control i at step t.
inline double random_control(const Crowd& crowd, int e, int t, int i) {
    std::uint64_t x = 0x9E3779B97F4A7C15u * static_cast<std::uint64_t>(1 + i + 1000 * (t / crowd.hold) + 1000000 * e);
    for (int k = 0; k < 2; ++k) x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    return crowd.control * (static_cast<double>(x >> 11) * 0x1p-52 - 1);
}

struct Start {
    std::vector<double> qpos, qvel, warmstart;
};

// Averages of what steps had.
struct Tally {
    double contacts = 0, rows = 0, iterations = 0, gradient = 0;
    int steps = 0, environments = 0;

    std::string text(const std::string& name) const {
        char line[200];
        std::snprintf(line, sizeof line, "%-28s %5.2f contacts, %5.1f rows, %4.2f iterations, gradient %.1e", name.c_str(),
                      contacts / environments, rows / steps, iterations / steps, gradient / environments);
        return line;
    }
};

// What the environments that step together are given: controls of `turn` steps, and their states at the start.
template <class S>
struct Share {
    std::vector<S> controls, qpos, qvel, warmstart;
};

template <class Sim>
struct Member {
    using S = typename Sim::scalar;
    static constexpr int lanes = mjx::lanes_v<S>;
    Sim sim;

    template <class... Arguments>
    explicit Member(const Arguments&... arguments) : sim(arguments...) {}

    Share<S> share(const Crowd& crowd, const std::vector<Start>& starts, int first) const {
        const auto gather = [&](int count, auto&& number) {
            std::vector<S> to(static_cast<std::size_t>(count));
            for (int i = 0; i < count; ++i)
                for (int k = 0; k < lanes; ++k)
                    mjx::set_lane(to[static_cast<std::size_t>(i)], k, static_cast<mjx::value_t<S>>(number((first + k) % Crowd::size, i)));
            return to;
        };
        const auto& m = sim.model();
        const auto at = [&](int e) -> const Start& { return starts[static_cast<std::size_t>(e)]; };
        return {
            gather(Crowd::turn * m.nu, [&](int e, int i) { return random_control(crowd, e, crowd.steps_to_settle + i / m.nu, i % m.nu); }),
            gather(m.nq, [&](int e, int i) { return at(e).qpos[static_cast<std::size_t>(i)]; }),
            gather(m.nv, [&](int e, int i) { return at(e).qvel[static_cast<std::size_t>(i)]; }),
            gather(m.nv, [&](int e, int i) { return at(e).warmstart[static_cast<std::size_t>(i)]; })};
    }
    void restart(const Share<S>& share) {
        std::copy(share.qpos.begin(), share.qpos.end(), sim.qpos().begin());
        std::copy(share.qvel.begin(), share.qvel.end(), sim.qvel().begin());
        for (std::size_t i = 0; i < share.warmstart.size(); ++i) sim.data().qacc_warmstart[static_cast<int>(i)] = share.warmstart[i];
    }
    void step(const Share<S>& share, int t) {
        const auto nu = static_cast<std::size_t>(sim.model().nu);
        std::copy_n(share.controls.begin() + static_cast<std::ptrdiff_t>(nu) * t, nu, sim.ctrl().begin());
        sim.step();
    }
    void count(Tally& tally) const {
        const auto& d = sim.data();
        tally.rows += d.nefc;
        tally.iterations += d.solver_niter;
        ++tally.steps;
        tally.environments += lanes;
        for (int k = 0; k < lanes; ++k) {
            tally.gradient += mjx::lane(d.solver_gradient, k);
            for (int c = 0; c < d.ncon; ++c) tally.contacts += mjx::lane(mjx::contact_acts(d.contact[c]), k) ? 1 : 0;
        }
    }
};

#ifdef MJX_HAVE_MUJOCO
template <>
struct Member<Mujoco> {
    using S = double;
    static constexpr int lanes = 1;
    Mujoco mujoco;

    explicit Member(const std::string& path) : mujoco(path) {}

    Share<S> share(const Crowd& crowd, const std::vector<Start>& starts, int e) const {
        const int nu = static_cast<int>(mujoco.m->nu);
        const Start& start = starts[static_cast<std::size_t>(e)];
        Share<S> share{{}, start.qpos, start.qvel, start.warmstart};
        for (int i = 0; i < Crowd::turn * nu; ++i)
            share.controls.push_back(random_control(crowd, e, crowd.steps_to_settle + i / nu, i % nu));
        return share;
    }
    void restart(const Share<S>& share) {
        std::copy(share.qpos.begin(), share.qpos.end(), mujoco.d->qpos);
        std::copy(share.qvel.begin(), share.qvel.end(), mujoco.d->qvel);
        std::copy(share.warmstart.begin(), share.warmstart.end(), mujoco.d->qacc_warmstart);
    }
    void step(const Share<S>& share, int t) {
        std::copy_n(share.controls.begin() + mujoco.m->nu * t, mujoco.m->nu, mujoco.d->ctrl);
        mj_step(mujoco.m, mujoco.d);
    }
    void count(Tally& tally) const {
        const mjData* d = mujoco.d;
        tally.contacts += d->ncon;
        tally.rows += d->nefc;
        ++tally.steps;
        ++tally.environments;
        int iterations = 0;
        double gradient = 0;
        for (int k = 0; k < std::min<int>(std::max<int>(d->nisland, 1), mjNISLAND); ++k) {
            const int n = d->solver_niter[k];
            iterations = std::max(iterations, n);
            if (n > 0) gradient = std::max(gradient, d->solver[k * mjNSOLVER + std::min<int>(n, mjNSOLVER) - 1].gradient);
        }
        tally.iterations += iterations;
        tally.gradient += gradient;
    }
};
#endif

template <class Sim, class... Arguments>
void enter_crowd(Contest& contest, const std::string& name, const Crowd& crowd, const std::vector<Start>& starts,
                 const Arguments&... arguments) {
    using Who = Member<Sim>;
    auto member = std::make_shared<Who>(arguments...);
    std::vector<Share<typename Who::S>> shares;
    for (int e = 0; e < Crowd::size; e += Who::lanes) shares.push_back(member->share(crowd, starts, e));
    const double steps = static_cast<double>(shares.size()) * Who::lanes * Crowd::turn;
    const auto round = [member, shares = std::move(shares)](auto&& after) {
        for (const auto& share : shares) {
            member->restart(share);
            for (int t = 0; t < Crowd::turn; ++t) {
                member->step(share, t);
                after(*member);
            }
        }
    };
    Tally tally;
    round([&](const auto& who) { who.count(tally); });
    contest.add(
        tally.text(name), [round] { round([](const auto&) {}); }, steps);
}

template <class Fixed>
Contest crowd_contest(const Crowd& crowd) {
    using mjx::Euler;
    using mjx::Newton;
    using mjx::pack;
    using mjx::Simulator;
    const std::string path = scene(crowd.name, crowd.folder);
    Contest contest(crowd.title());
    std::vector<Start> starts;
    for (int e = 0; e < (crowd.rests() ? 1 : Crowd::size); ++e) {
        auto sim = std::make_unique<Simulator<double, Euler, Newton, Fixed>>();
        for (int t = 0; t < crowd.steps_to_settle; ++t) {
            for (int i = 0; i < Fixed::nu; ++i) sim->ctrl()[i] = random_control(crowd, e, t, i);
            sim->step();
        }
        const auto qpos = sim->qpos(), qvel = sim->qvel();
        const auto& warm = sim->data().qacc_warmstart;
        starts.push_back({{qpos.begin(), qpos.end()}, {qvel.begin(), qvel.end()}, {warm.begin(), warm.end()}});
    }
    starts.resize(Crowd::size, Start(starts.front()));
#ifdef MJX_HAVE_MUJOCO
    enter_crowd<Mujoco>(contest, "MuJoCo " + std::string(mj_versionString()), crowd, starts, path);
#endif
    enter_crowd<Simulator<double, Euler, Newton>>(contest, "double, runtime model", crowd, starts, mjx::load_mjcf(path));
    enter_crowd<Simulator<double, Euler, Newton, Fixed>>(contest, "double, fixed model", crowd, starts);
    enter_crowd<Simulator<pack<double>, Euler, Newton, Fixed>>(contest, "pack<double>, fixed model", crowd, starts);
    enter_crowd<Simulator<pack<float>, Euler, Newton, Fixed>>(contest, "pack<float>, fixed model", crowd, starts);
    return contest;
}

// In poses of their own with controls that last and with new ones every step, and at rest.
template <class Fixed>
int run_crowds(const Crowd& crowd, int argc, char** argv) {
    Crowd restless = crowd, resting = crowd;
    restless.hold = 1;
    resting.control = 0;
    resting.steps_to_settle *= 4;
    return run_all({crowd_contest<Fixed>(crowd), crowd_contest<Fixed>(restless), crowd_contest<Fixed>(resting)}, argc, argv);
}

}  // namespace bench
