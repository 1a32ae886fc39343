// A thousand cheetahs under linear policies on a SYCL queue: each has a policy of its own, and nothing leaves the device between steps.
//
// The policies are random but for the best of each round, around which the next are drawn: a random search (Mania, Guy and Recht 2018) on
// how far a cheetah runs. Kernels and steps wait for each other by events alone.
#include "cheetah.hpp"

#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"
#include "mjx/sycl.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

int main() {
    using Cheetah = models::Cheetah;
    constexpr int environments = 1024, rounds = 8, decisions = 100, repeats = 2;
    constexpr int nq = Cheetah::nq, nv = Cheetah::nv, nu = Cheetah::nu, seen = nq - 1 + nv;  // not how far it is
    constexpr auto n = std::size_t(environments);

    sycl::queue queue;
    mjx::SyclBatch<float, mjx::Euler, mjx::Newton, Cheetah> batch(environments, queue);
    float *qpos = batch.array("qpos"), *qvel = batch.array("qvel"), *ctrl = batch.array("ctrl");
    float* weights = sycl::malloc_shared<float>(n * nu * seen, queue);  // (control, what is seen, environment)
    const auto act = [=](sycl::id<1> id) {
        const std::size_t e = id[0];
        for (int u = 0; u < nu; ++u) {
            float sum = 0;
            for (int i = 0; i < seen; ++i) {
                const float x = i < nq - 1 ? qpos[std::size_t(i + 1) * n + e] : qvel[std::size_t(i + 1 - nq) * n + e];
                sum += weights[std::size_t(u * seen + i) * n + e] * x;
            }
            ctrl[std::size_t(u) * n + e] = sum < -1 ? -1 : sum > 1 ? 1 : sum;
        }
    };

    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<float> best(nu * seen, 0.0f);
    float first = 0, farthest = 0;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t e = 0; e < n; ++e)  // the first keeps the best
            for (std::size_t w = 0; w < best.size(); ++w) weights[w * n + e] = best[w] + (e == 0 ? 0.0f : 0.3f * normal(random));
        batch.reset();
        for (int t = 0; t < decisions; ++t) {
            const sycl::event chosen = queue.parallel_for(sycl::range<1>(n), std::vector<sycl::event>{batch.event()}, act);
            batch.enqueue(repeats, {chosen});
        }
        batch.wait();
        const std::size_t winner = std::size_t(std::max_element(qpos, qpos + n) - qpos);
        for (std::size_t w = 0; w < best.size(); ++w) best[w] = weights[w * n + winner];
        farthest = qpos[winner];
        if (round == 0) first = farthest;
        std::printf("round %d: the best of %d cheetahs runs %.2f m in %.1f s\n", round, environments, double(farthest),
                    double(batch.time(0)));
    }
    sycl::free(weights, queue);
    return std::isfinite(farthest) && farthest >= first ? 0 : 1;
}
