// Batches of humanoids: one thread against two, and what an environment takes in memory.
#include "axes.hpp"

#include "humanoid.hpp"

#include "mjx/batch/batch.hpp"

namespace {

template <class S>
void enter(bench::Contest& contest, const std::string& name, int environments, int threads) {
    using Batch = mjx::Batch<S, mjx::Euler, mjx::Newton, models::Humanoid>;
    auto batch = std::make_shared<Batch>(environments, threads);
    batch->step(100);
    contest.add(name + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), [batch] { batch->step(1); }, environments);
}

template <class S, class M>
void print_size(const char* name) {
    std::printf("%10zu bytes of Data for %d environments   %s\n", sizeof(mjx::Data<S, typename M::template rebind<mjx::value_t<S>>>),
                mjx::lanes_v<S>, name);
}

}  // namespace

int main(int argc, char** argv) {
    print_size<double, models::Humanoid>("double");
    print_size<mjx::pack<double>, models::Humanoid>("pack<double>");
    print_size<mjx::pack<float>, models::Humanoid>("pack<float>");
    bench::Contest contest("512 humanoids: a batch, Euler and Newton");
    enter<mjx::pack<float>>(contest, "pack<float>", 512, 1);
    enter<mjx::pack<float>>(contest, "pack<float>", 512, 2);
    return bench::run_all({std::move(contest)}, argc, argv);
}
