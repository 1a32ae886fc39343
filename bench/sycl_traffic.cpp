// What a GPU would make of a humanoid's steps, as far as a CPU can tell. bench/sycl.sh runs it.
//
//     bench_sycl_traffic              how much the lanes of a warp differ: iterations, contacts and rows of 256 humanoids in poses of their own, in
//                                     warps of 32, and how much less if warps are filled by what environments needed in the step before
//     bench_sycl_traffic trace FILE   a step of one of them, between two writes to FILE's addresses, for a tool that traces memory
//
// It looks behind the porch: what a kernel keeps of a humanoid and where (DeviceStates, InKernel) is what is measured.
#include "humanoid.hpp"

#include "mjx/batch/device_states.hpp"
#include "mjx/integrators.hpp"
#include "mjx/model/kernel_model.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solvers.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

namespace {

constexpr int lanes = 32, warps = 8, environments = lanes * warps, settling = 300, measured = 100;
using Sim = mjx::Simulator<float, mjx::Euler, mjx::Newton, mjx::inner::InKernel<models::Humanoid>>;
using D = Sim::data_type;

// Controls that change every step and differ from lane to lane.
void control(Sim& sim, int lane, int step) {
    unsigned x = static_cast<unsigned>(lane) * 2654435761u + static_cast<unsigned>(step) * 40503u;
    for (int i = 0; i < sim.model().nu; ++i) {
        x = x * 1664525u + 1013904223u;
        sim.ctrl()[i] = (static_cast<float>(x >> 8) / float(1 << 24) - 0.5f) * 0.4f;
    }
}

std::unique_ptr<Sim> settled(int lane) {
    auto sim = std::make_unique<Sim>();
    for (int t = 0; t < settling; ++t) {
        control(*sim, lane, t);
        sim->step();
    }
    return sim;
}

// What the environments needed in a step: iterations, contacts, rows.
constexpr int quantities = 3;
constexpr const char* names[quantities] = {"iterations", "contacts", "rows"};
using Needs = std::vector<int>;

// The warps' lanes in each step wait for the longest of their warp.
struct Spread {
    double sum = 0, longest = 0;

    void add(const Needs& needs, const std::vector<int>& order) {
        for (int first = 0; first < environments; first += lanes) {
            int most = 0;
            for (int k = first; k < first + lanes; ++k) {
                const int n = needs[std::size_t(order[std::size_t(k)])];
                sum += n;
                most = std::max(most, n);
            }
            longest += lanes * most;
        }
    }
};

void tell_divergence() {
    std::vector<std::unique_ptr<Sim>> sims;
    std::vector<int> as_they_are;
    for (int e = 0; e < environments; ++e) {
        sims.push_back(settled(e));
        as_they_are.push_back(e);
    }
    Spread spread[quantities][1 + quantities];  // as they are, then sorted by each
    Needs before[quantities];
    for (int t = 0; t < measured; ++t) {
        Needs needs[quantities];
        for (int e = 0; e < environments; ++e) {
            Sim& sim = *sims[std::size_t(e)];
            control(sim, e, settling + t);
            sim.step();
            const int found[quantities] = {sim.data().solver_niter, sim.data().ncon, sim.data().nefc};
            for (int i = 0; i < quantities; ++i) needs[i].push_back(found[i]);
        }
        for (int by = 0; t > 0 && by <= quantities; ++by) {
            std::vector<int> order = as_they_are;
            if (by > 0)
                std::stable_sort(order.begin(), order.end(),
                                 [&](int a, int b) { return before[by - 1][std::size_t(a)] < before[by - 1][std::size_t(b)]; });
            for (int i = 0; i < quantities; ++i) spread[i][by].add(needs[i], order);
        }
        for (int i = 0; i < quantities; ++i) before[i] = needs[i];
    }
    std::printf(
        "the longest lane of a warp over the mean, %d environments: as they are; sorted by iterations, contacts, rows of the step before\n",
        environments);
    for (int i = 0; i < quantities; ++i) {
        std::printf("%-12s mean %6.2f  ", names[i], spread[i][0].sum / (environments * (measured - 1)));
        for (const Spread& s : spread[i]) std::printf("  %5.2f", s.longest / s.sum);
        std::printf("\n");
    }
}

// The first run leaves the settled state in the file, the second, which is traced, takes it from there.
void trace(const char* file) {
    static D d;
    static volatile int marker = 0;
    using Kept = mjx::inner::DeviceStates<float, D>;
    const auto rows = Kept::rows(d);
    std::vector<float> numbers(std::size_t(rows.numbers));
    std::vector<int> integers(std::size_t(rows.integers));
    const Kept kept{numbers.data(), integers.data(), 1};
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        kept.store(settled(0)->data(), 0);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(numbers.data()), std::streamsize(numbers.size() * sizeof(float)));
        return;
    }
    in.read(reinterpret_cast<char*>(numbers.data()), std::streamsize(numbers.size() * sizeof(float)));
    std::printf("%p %zu %p\n", static_cast<void*>(&d), sizeof d, const_cast<void*>(static_cast<volatile void*>(&marker)));
    std::fflush(stdout);
    kept.load(d, 0);
    marker = 1;
    mjx::step<mjx::Euler, mjx::Newton>(Sim::model_type{}, d);
    marker = 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "trace") == 0)
        trace(argv[2]);
    else
        tell_divergence();
}
