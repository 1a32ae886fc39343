// What a GPU would make of a humanoid's steps, as far as a CPU can tell. bench/sycl.sh runs it.
//
//     bench_sycl_traffic              how much the lanes of a warp differ: iterations, contacts and rows of 32 humanoids in poses of their own
//     bench_sycl_traffic trace FILE   a step of one of them, between two writes to FILE's addresses, for a tool that traces memory
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

constexpr int lanes = 32, settling = 300, measured = 100;
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

// What each of the lanes needed in each step, and what the warp needs if all wait for the longest.
struct Spread {
    const char* what;
    double sum = 0, longest = 0;

    void add(std::vector<int> lane_needs) {
        for (const int n : lane_needs) sum += n;
        longest += lanes * *std::max_element(lane_needs.begin(), lane_needs.end());
    }
    void tell() const {
        std::printf("%-12s mean %6.2f   the longest lane of a warp over the mean %5.2f\n", what, sum / (lanes * measured), longest / sum);
    }
};

void tell_divergence() {
    std::vector<std::unique_ptr<Sim>> sims;
    for (int k = 0; k < lanes; ++k) sims.push_back(settled(k));
    Spread spread[] = {{"iterations"}, {"contacts"}, {"rows"}};
    for (int t = 0; t < measured; ++t) {
        std::vector<int> needs[3];
        for (int k = 0; k < lanes; ++k) {
            control(*sims[std::size_t(k)], k, settling + t);
            sims[std::size_t(k)]->step();
            const D& d = sims[std::size_t(k)]->data();
            needs[0].push_back(d.solver_niter);
            needs[1].push_back(d.ncon);
            needs[2].push_back(d.nefc);
        }
        for (int i = 0; i < 3; ++i) spread[i].add(needs[i]);
    }
    for (const Spread& s : spread) s.tell();
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
