// Prints a hash of what a batch over ranks does, which must be the same for any number of them, and that of a Batch; or fails or dies on
// one rank, on request.
#include "cheetah.hpp"

#include "mjx/integrators.hpp"
#include "mjx/load.hpp"
#include "mjx/mpi.hpp"
#include "mjx/solvers.hpp"

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

namespace {

template <class A>
void add(unsigned long long& hash, const A& array) {
    for (const auto x : array) {
        unsigned char bytes[sizeof x];
        std::memcpy(bytes, &x, sizeof x);
        for (const unsigned char b : bytes) hash = (hash ^ b) * 1099511628211ull;
    }
}

// Far and fast, with little effort.
struct Run {
    template <class M, class D, class R>
    void operator()(const M& m, const D& d, bool last, R&& r) const {
        using S = typename D::scalar;
        if (last) r(S(d.qpos[0] - 1.0));
        for (int u = 0; u < m.nu; ++u) r(S(d.ctrl[u] * 0.1));
    }
};

// The gradient of a cost summed over environments, which along some direction is what differences say.
mjx::Matrix<double> checked_gradient() {
    const std::size_t environments = 9, steps = 4, nu = models::Cheetah::nu;
    mjx::MpiBatch<double, mjx::Euler, mjx::Newton, models::Cheetah> batch(environments);
    auto qvel = batch.qvel();
    for (std::size_t i = 0; i < qvel.size(); ++i) qvel.data()[i] = 0.3 * double(i % 5) - 0.5;
    batch.set_qvel(qvel);
    auto controls = mjx::Matrix<double>::from_shape({steps, nu});
    for (std::size_t i = 0; i < controls.size(); ++i) controls.data()[i] = 0.2 * double(i % 3) - 0.2;
    const auto at = batch.rollout_gradient(controls, Run{});
    const double eps = 1e-5;
    auto above = controls, below = controls;
    double slope = 0;
    for (std::size_t i = 0; i < controls.size(); ++i) {
        const double x = i % 2 == 0 ? 1 : 0.5;
        above.data()[i] += eps * x, below.data()[i] -= eps * x;
        slope += at.by_controls.data()[i] * x;
    }
    const double difference = (batch.rollout_gradient(above, Run{}).cost - batch.rollout_gradient(below, Run{}).cost) / (2 * eps);
    if (!(std::abs(slope - difference) < 1e-6 * std::abs(slope)))
        throw std::runtime_error("the gradient is " + std::to_string(slope) + ", differences say " + std::to_string(difference));
    return at.by_controls;
}

using Cheetah = mjx::WithOwn<models::Cheetah, "body_mass">;
template <template <class...> class B>
using Cheetahs = B<mjx::pack<float>, mjx::Euler, mjx::Newton, Cheetah>;
template <template <class...> class B>
using Scenes = B<mjx::pack<float>, mjx::Euler, mjx::Newton>;

// A box on a floor beside a body that is carried, in a model from a file.
mjx::Model<> scene() {
    return mjx::load_mjcf_string(R"(<mujoco><size nuserdata="2"/><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body name="box" pos="0 0 0.2"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
        <body name="hand" mocap="true" pos="1 0 0.2"><geom type="sphere" size="0.1"/></body></worldbody>
        <keyframe><key qpos="0 0 0.5 1 0 0 0"/></keyframe></mujoco>)");
}

// An array (environment, 1) of which every rank has filled its own rows: those of all.
template <class... P>
auto everywhere(const mjx::Batch<P...>&, const mjx::Matrix<float>& filled) {
    return filled;
}
template <class... P>
auto everywhere(const mjx::MpiBatch<P...>& batch, const mjx::Matrix<float>& filled) {
    return batch.gathered(batch.own_rows(filled));
}

mjx::Vector<bool> every(std::size_t environments, std::size_t third) {
    auto mask = mjx::Vector<bool>::from_shape({environments});
    for (std::size_t e = 0; e < environments; ++e) mask(e) = e % third == 0;
    return mask;
}
// Different numbers in every row.
template <class A>
A numbered(A array, float scale) {
    for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = typename A::value_type(scale * (float((3 * i + i / 5) % 7) - 3));
    return array;
}

constexpr std::size_t environments = 203;

// What a cheetah's batch of either kind does, with masses of the environments' own.
template <class B>
unsigned long long run_cheetahs(B batch) {
    const std::size_t nu = models::Cheetah::nu;
    unsigned long long hash = 14695981039346656037ull;
    batch.reset(every(environments, 1), 5, [](const auto& e, auto& random) {
        for (int i = 0; i < e.qvel.size(); ++i) e.qvel[i] = float(random.uniform(-1, 1));
    });
    auto mass = batch.parameters("body_mass");
    for (std::size_t e = 0; e < environments; ++e) mass(e, 1, 0) *= 1 + 0.01f * float(e);
    batch.set_parameters("body_mass", mass);
    add(hash, batch.parameters("body_mass"));
    batch.set_ctrl(numbered(batch.ctrl(), 0.1f));
    batch.step(60);
    batch.reset(every(environments, 3), 8, [](const auto& e, auto& random) { e.qvel[1] = float(random.uniform(-1, 1)); });
    batch.reset(every(environments, 7));
    add(hash, batch.step(4, 2, [](const auto&, const auto& d, auto* out) { out[0] = d.qpos[1], out[1] = d.xpos[1][2]; }));
    batch.share_parameters();
    const auto from = batch.state(100);
    batch.set_state(101, from);
    auto controls = mjx::Tensor3<float>::from_shape({environments, 3, nu});
    controls.fill(0.2f);
    const auto rolled = batch.rollout(controls);
    auto heights = mjx::Matrix<float>::from_shape({environments, 1});
    batch.rollout(controls, [&](int block, int t, const auto& d) {
        constexpr int lanes = mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, Cheetah>::lanes;
        for (int k = 0; k < lanes; ++k) {
            const auto e = std::size_t(block * lanes + k);
            if (t == 3 && e < environments) heights(e, 0) = mjx::lane(d.xpos[1][2], k);
        }
    });
    add(hash, everywhere(batch, heights));
    for (const auto& array : {batch.qpos(), batch.qvel(), batch.act(), batch.time(), batch.sensordata()}) add(hash, array);
    for (const auto& array : {rolled.qpos, rolled.qvel, rolled.act, rolled.sensordata}) add(hash, array);
    add(hash, batch.map(1, [](const auto&, const auto& d, auto* out) { out[0] = d.xpos[1][2]; }));
    add(hash, batch.derivatives().A);
    batch.set_state(from);
    batch.reset(every(environments, 4), batch.state(2));
    batch.step(2);
    add(hash, batch.qpos());
    add(hash, batch.state(202).values);
    return hash;
}

// What a batch of a model from a file does, with all that can be set, and with an environment that breaks.
template <class B>
unsigned long long run_scenes(B batch) {
    unsigned long long hash = 14695981039346656037ull;
    batch.set_qpos(batch.qpos());
    batch.set_qvel(numbered(batch.qvel(), 0.2f));
    batch.set_act(batch.act());
    batch.set_userdata(numbered(batch.userdata(), 1));
    batch.set_mocap_pos(numbered(batch.get("mocap_pos"), 0.1f));
    batch.set_mocap_quat(batch.get("mocap_quat"));
    batch.set_qfrc_applied(numbered(batch.get("qfrc_applied"), 0.1f));
    batch.set_xfrc_applied(numbered(batch.get("xfrc_applied"), 0.1f));
    batch.step(50);
    batch.reset(every(environments, 11), 0);
    add(hash, batch.qpos());
    add(hash, batch.userdata());
    auto qpos = batch.qpos();
    qpos(100, 2) = std::numeric_limits<float>::quiet_NaN();
    batch.set_qpos(qpos);
    batch.step();
    const auto bad = batch.was_bad(), reset = batch.was_reset();
    for (std::size_t e = 0; e < environments; ++e)
        if (bad(e) != (e == 100) || reset(e) != (e == 100)) throw std::runtime_error("environment " + std::to_string(e) + ": bad or not?");
    if (batch.warning(100, mjx::warning::badqpos) != 1 || batch.warning(99, mjx::warning::badqpos) != 0)
        throw std::runtime_error("the warning of an environment is not told");
    add(hash, batch.qvel());
    return hash;
}

// What the first or the last rank alone knows comes to all.
void check_scattering() {
    Cheetahs<mjx::MpiBatch> batch(environments);
    const auto known = numbered(batch.ctrl(), 0.1f);
    for (const int root : {0, mjx::Mpi::ranks() - 1}) {
        batch.set_ctrl(mjx::Matrix<float>::from_shape(known.shape()));
        batch.scatter("ctrl", mjx::Mpi::rank() == root ? known : mjx::Matrix<float>(), root);
        if (batch.ctrl() != known) throw std::runtime_error("rank " + std::to_string(root) + " scattered something else");
    }
    try {
        batch.scatter("ctrl", mjx::Matrix<float>::from_shape({1, 6}));
    } catch (const std::invalid_argument& error) {
        if (std::string_view(error.what()).find("has 1 rows, expected one for each of the 203") != std::string_view::npos) return;
    }
    throw std::runtime_error("an array of the wrong shape was scattered");
}

void require_same(unsigned long long over_ranks, unsigned long long alone, const char* what) {
    if (over_ranks != alone) throw std::runtime_error(std::string(what) + " over ranks are not those of a Batch");
}

}  // namespace

int main(int argc, char** argv) {
    mjx::Mpi mpi(argc, argv);
    mjx::Mpi::guarded([&] {
        const std::string_view told = argc > 1 && mjx::Mpi::rank() == 1 ? argv[1] : "";
        if (told == "fail") throw std::runtime_error("this rank was told to fail");
        if (told == "die") std::raise(SIGKILL);
        const int n = int(environments);
        const auto cheetahs = run_cheetahs(Cheetahs<mjx::MpiBatch>(n));
        require_same(cheetahs, run_cheetahs(Cheetahs<mjx::Batch>(n, 1)), "cheetahs");
        const auto scenes = run_scenes(Scenes<mjx::MpiBatch>(scene(), n));
        require_same(scenes, run_scenes(Scenes<mjx::Batch>(scene(), n, 1)), "scenes");
        check_scattering();
        unsigned long long hash = cheetahs ^ scenes;
        add(hash, checked_gradient());
        if (mjx::Mpi::rank() == 0) std::printf("%016llx\n", hash);
    });
}
