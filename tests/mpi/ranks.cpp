// Prints a hash of what a batch over ranks does, which must be the same for any number of them; or fails on one rank, on request.
#include "cheetah.hpp"

#include "mjx/integrators.hpp"
#include "mjx/mpi.hpp"
#include "mjx/solvers.hpp"

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
        if (mjx::Mpi::rank() == 0) std::printf("%016llx\n", hash);
    });
}
