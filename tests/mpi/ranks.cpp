// Prints a hash of what a batch over ranks does, which must be the same for any number of them; or fails on one rank, on request.
#include "cheetah.hpp"

#include "mjx/integrators.hpp"
#include "mjx/mpi.hpp"
#include "mjx/solvers.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

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

}  // namespace

int main(int argc, char** argv) {
    mjx::Mpi mpi(argc, argv);
    mjx::Mpi::guarded([&] {
        const std::size_t environments = 203, nu = models::Cheetah::nu;
        mjx::MpiBatch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Cheetah> batch(environments);
        if (argc > 1 && mjx::Mpi::rank() == 1) throw std::runtime_error("this rank was told to fail");
        auto all = mjx::Vector<bool>::from_shape({environments});
        all.fill(true);
        batch.reset(all, 5, [](const auto& e, auto& random) {
            for (int i = 0; i < e.qvel.size(); ++i) e.qvel[i] = float(random.uniform(-1, 1));
        });
        auto ctrl = batch.ctrl();
        for (std::size_t e = 0; e < environments; ++e)
            for (std::size_t i = 0; i < nu; ++i) ctrl(e, i) = 0.1f * float((e + 3 * i) % 7) - 0.3f;
        batch.set_ctrl(ctrl);
        batch.step(60);
        auto controls = mjx::Tensor3<float>::from_shape({environments, 3, nu});
        controls.fill(0.2f);
        const auto rolled = batch.rollout(controls);
        const auto heights = batch.local().map(1, [](const auto&, const auto& d, auto* out) { out[0] = d.xpos[1][2]; });
        unsigned long long hash = 14695981039346656037ull;
        add(hash, batch.qpos());
        add(hash, batch.qvel());
        add(hash, rolled.qpos);
        add(hash, batch.sum(heights));
        add(hash, batch.derivatives().A);
        add(hash, checked_gradient());
        if (mjx::Mpi::rank() == 0) std::printf("%016llx\n", hash);
    });
}
