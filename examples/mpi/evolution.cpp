// A cheetah's gait by evolution over the ranks of an MPI program: mpirun -n 4 evolution [iterations]
//
// 256 sequences of controls are tried from rest, each by an environment of its own; the next are drawn around the mean of the best
// (cross-entropy method). All ranks draw the same numbers and hear all results, so they agree without being told and the outcome does not
// depend on how many they are. Only the distances travel. Prints how far the cheetah ran, and what the communication took.
#include "cheetah.hpp"

#include "mjx/integrators.hpp"
#include "mjx/mpi.hpp"
#include "mjx/solvers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void evolve(std::size_t iterations) {
    const std::size_t environments = 256, best = 24, nu = models::Cheetah::nu, knots = 12, held = 20;
    mjx::MpiBatch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Cheetah> batch(environments);
    std::vector<double> mean(knots * nu, 0.0), spread(knots * nu, 0.5);
    std::mt19937 random(1);
    double distance = 0, talking = 0;
    const double start = now();
    for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
        auto controls = mjx::Tensor3<float>::from_shape({environments, knots * held, nu});
        std::normal_distribution<double> normal;
        for (std::size_t e = 0; e < environments; ++e)
            for (std::size_t k = 0; k < knots; ++k)
                for (std::size_t u = 0; u < nu; ++u) {
                    const double x = std::clamp(mean[k * nu + u] + spread[k * nu + u] * normal(random), -1.0, 1.0);
                    for (std::size_t t = k * held; t < (k + 1) * held; ++t) controls(e, t, u) = float(x);
                }
        batch.reset();
        batch.local().rollout(batch.own_rows(controls));

        mjx::Mpi::meet();  // waiting for the slowest is not talking
        const double before = now();
        const auto qpos = batch.get("qpos");
        talking += now() - before;
        std::vector<std::size_t> order(environments);
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return qpos(a, 0) > qpos(b, 0); });
        distance = double(qpos(order[0], 0));
        for (std::size_t i = 0; i < knots * nu; ++i) {
            const auto value = [&](std::size_t e) { return double(controls(e, i / nu * held, i % nu)); };
            double sum = 0, square = 0;
            for (std::size_t k = 0; k < best; ++k) sum += value(order[k]) / double(best);
            for (std::size_t k = 0; k < best; ++k) square += (value(order[k]) - sum) * (value(order[k]) - sum) / double(best);
            mean[i] = sum;
            spread[i] = std::sqrt(square) + 0.02;
        }
        if (mjx::Mpi::rank() == 0 && iteration % 5 == 4) std::printf("iteration %2zu: %.2f m in 1.2 s\n", iteration + 1, distance);
    }
    if (mjx::Mpi::rank() == 0)
        std::printf("%d ranks: %.2f s, of which %.0f us in each iteration were communication\n", mjx::Mpi::ranks(), now() - start,
                    1e6 * talking / double(iterations));
    if (distance < 1) throw std::runtime_error("the cheetah did not learn to run");
}

}  // namespace

int main(int argc, char** argv) {
    mjx::Mpi mpi(argc, argv);
    mjx::Mpi::guarded([&] { evolve(argc > 1 ? std::stoul(argv[1]) : 25); });
}
