// The same as program.cpp for environment 3 of a batch, by itself and in lanes, on one to three threads: its lines are among those of
// program.cpp.
#include "load.hpp"
#include "motion.hpp"

#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/model.hpp"
#include "mjx/solvers.hpp"

namespace {

template <class S>
void move(const char* robot, const mjx::Model<double>& model, int threads) {
    constexpr int environments = 7;
    mjx::Batch<S, mjx::Euler, mjx::Newton> batch(model, environments, threads);
    bits::Hash hash;
    auto ctrl = batch.ctrl();
    for (int t = 0; t < bits::steps; t += 10) {
        for (int e = 0; e < environments; ++e)
            for (int i = 0; i < model.nu; ++i) ctrl(static_cast<std::size_t>(e), static_cast<std::size_t>(i)) = bits::control(e, i, t);
        batch.set_ctrl(ctrl);
        batch.step(10);
        const auto qpos = batch.qpos(), qvel = batch.qvel();
        for (int i = 0; i < model.nq; ++i) hash.add_number(qpos(3, static_cast<std::size_t>(i)));
        for (int i = 0; i < model.nv; ++i) hash.add_number(qvel(3, static_cast<std::size_t>(i)));
    }
    bits::print(robot, mjx::Euler::name, mjx::Newton::name, "double", hash.value());
}

}  // namespace

int main() {
    for (const char* robot : bits::robots) {
        auto model = load_scene(robot);
        model.opt.chosen = 0;
        move<double>(robot, model, 2);
        for (int threads = 1; threads <= 3; ++threads) move<mjx::pack<double>>(robot, model, threads);
    }
}
