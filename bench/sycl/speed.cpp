// What the way through SYCL costs: SyclBatch on AdaptiveCpp's CPU device beside Batch<float>, compiled with the same flags, on one core:
//
//     OMP_NUM_THREADS=1 taskset -c 0 bench_sycl_speed
// Robots fall from where they start and come to rest, with controls of their own. Before they are timed both end in the same bits, or it says so.
#include "../contest.hpp"

#include "cheetah.hpp"
#include "humanoid.hpp"

#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"
#include "mjx/sycl.hpp"

#include <memory>

namespace {

constexpr int environments = 16, steps = 400;

float control(int e, int i) { return 0.15f * float((e + i) % 5 - 2); }

template <class M>
struct OnHost {
    mjx::Batch<float, mjx::Euler, mjx::Newton, M> batch{environments, 1};

    void run() {
        batch.reset();
        auto ctrl = batch.view("ctrl");
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < M::nu; ++i) ctrl(e, i) = control(e, i);
        batch.step(steps);
    }
};

template <class M>
struct OnDevice {
    mjx::SyclBatch<float, mjx::Euler, mjx::Newton, M> batch{environments};

    void run() {
        batch.reset();
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < M::nu; ++i) batch.ctrl(e, i) = control(e, i);
        batch.step(steps);
    }
};

// Whether both gave the same bits.
template <class M>
bool compare(const char* name) {
    const auto host = std::make_unique<OnHost<M>>();
    const auto device = std::make_unique<OnDevice<M>>();
    host->run();
    device->run();
    const auto qvel = host->batch.qvel();
    int different = 0;
    for (int e = 0; e < environments; ++e)
        for (int i = 0; i < M::nv; ++i) different += qvel(std::size_t(e), std::size_t(i)) != device->batch.qvel(e, i);
    if (different > 0) std::printf("%s: %d of %d velocities differ\n", name, different, environments * M::nv);

    bench::Contest contest(std::string(name) + ": a step of an environment, Euler and Newton");
    contest.add(
        "Batch<float>", [&] { host->run(); }, environments * steps);
    contest.add(
        "SyclBatch<float>", [&] { device->run(); }, environments * steps);
    contest.run(20, 0.01);
    return different == 0;
}

}  // namespace

int main() {
    const bool humanoids = compare<models::Humanoid>("humanoid"), cheetahs = compare<models::Cheetah>("cheetah");
    return humanoids && cheetahs ? 0 : 1;
}
