// Batches of humanoids: one thread against two, and what an environment takes in memory.
#include "axes.hpp"

#include "humanoid.hpp"

#include "mjx/batch.hpp"

namespace {

constexpr int environments = 512, settling = 600, horizon = 16;
using Batch = mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Humanoid>;

float control(std::size_t i, std::size_t t, std::size_t e) {
    return static_cast<float>(bench::fresh_control(bench::amplitude(), static_cast<int>(i), static_cast<long>(t), static_cast<int>(e)));
}

// Humanoids at rest, each with controls of its own.
std::shared_ptr<Batch> settled(int threads) {
    auto batch = std::make_shared<Batch>(environments, threads);
    auto ctrl = batch->ctrl();
    for (std::size_t e = 0; e < ctrl.shape(0); ++e)
        for (std::size_t i = 0; i < ctrl.shape(1); ++i) ctrl(e, i) = control(i, 0, e);
    batch->set_ctrl(ctrl);
    batch->step(settling);
    return batch;
}

mjx::Tensor3<float> fresh_controls() {
    auto controls = mjx::Tensor3<float>::from_shape({environments, horizon, static_cast<std::size_t>(models::Humanoid::nu)});
    for (std::size_t e = 0; e < environments; ++e)
        for (std::size_t t = 0; t < horizon; ++t)
            for (std::size_t i = 0; i < controls.shape(2); ++i) controls(e, t, i) = control(i, t, e);
    return controls;
}

template <class S, class M>
void print_size(const char* name) {
    using Data = typename mjx::Simulator<S, mjx::Euler, mjx::Newton, M>::data_type;
    std::printf("%10zu bytes of Data for %d environments   %s\n", sizeof(Data), mjx::lanes_v<S>, name);
}

}  // namespace

int main(int argc, char** argv) {
    print_size<double, models::Humanoid>("double");
    print_size<mjx::pack<double>, models::Humanoid>("pack<double>");
    print_size<mjx::pack<float>, models::Humanoid>("pack<float>");
    bench::Contest steps("512 humanoids, pack<float>, Euler and Newton: step(1)"), rollouts("the same: a rollout of 16 steps");
    for (const int threads : {1, 2}) {
        const std::string name = std::to_string(threads) + (threads == 1 ? " thread" : " threads");
        steps.add(
            name, [batch = settled(threads)] { batch->step(1); }, environments);
        rollouts.add(
            name, [batch = settled(threads), controls = fresh_controls()] { batch->rollout(controls); }, environments * horizon);
    }
    return bench::run_all({std::move(steps), std::move(rollouts)}, argc, argv);
}
