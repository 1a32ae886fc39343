// A thousand humanoids fall, one per SIMD lane, on all cores: a fixed model, single precision.
// To watch one of them: `#include "mjx/viewer.hpp"`, `mjx::Viewer viewer(batch, 7);`, then step by step with `viewer.update();` between.
#include "humanoid.hpp"

#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/scalars.hpp"
#include "mjx/solvers.hpp"

#include <chrono>
#include <cstdio>

int main() {
    const int environments = 1024, steps = 200;
    mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Humanoid> batch(environments);
    auto qvel = batch.qvel();
    for (std::size_t e = 0; e < qvel.shape(0); ++e)
        for (std::size_t i = 0; i < qvel.shape(1); ++i) qvel(e, i) = 0.1f * static_cast<float>((7 * e + 3 * i) % 11) - 0.5f;
    batch.set_qvel(qvel);

    const auto start = std::chrono::steady_clock::now();
    batch.step(steps);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    const auto qpos = batch.qpos();
    float lowest = 10, highest = 0;
    for (std::size_t e = 0; e < qpos.shape(0); ++e) {
        lowest = std::min(lowest, qpos(e, 2));
        highest = std::max(highest, qpos(e, 2));
    }
    std::printf("%d environments, %d steps each on %d threads in %.2f s: %.0f steps per second\n", environments, steps, batch.threads(),
                seconds, environments * steps / seconds);
    std::printf("after %.2f s their torsos are between %.3f and %.3f m high\n", static_cast<double>(batch.time()(0, 0)),
                static_cast<double>(lowest), static_cast<double>(highest));
}
