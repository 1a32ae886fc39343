// The C++ side of bench/python.py: 1024 cheetahs on one thread, with new controls before every step and before every five.
//
// Prints millions of steps per second of both, a line for each word on stdin: Python asks in turns with its own runs.
#include "cheetah.hpp"

#include "mjx/batch.hpp"
#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

namespace {

constexpr std::size_t environments = 1024, steps = 200;
using Batch = mjx::Batch<mjx::pack<float>, mjx::Euler, mjx::Newton, models::Cheetah>;

// Millions of steps per second from rest. What Python does, too: the same controls, written to the same place.
double speed(Batch& batch, const mjx::Tensor3<float>& controls, std::size_t held) {
    batch.reset();
    batch.step(100);
    auto ctrl = batch.view("ctrl");
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t t = 0; t < steps; t += held) {
        for (std::size_t i = 0; i < ctrl.shape(1); ++i)
            for (std::size_t e = 0; e < environments; ++e) ctrl(e, i) = controls(t, i, e);
        batch.step(static_cast<int>(held));
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return double(environments * steps) / seconds * 1e-6;
}

}  // namespace

int main() {
    Batch batch(static_cast<int>(environments), 1);
    auto controls = mjx::Tensor3<float>::from_shape({steps, static_cast<std::size_t>(models::Cheetah::nu), environments});
    unsigned random = 1;
    for (float& x : controls) random = random * 1664525u + 1013904223u, x = float(random >> 8) / float(1 << 23) - 1;
    for (std::string word; std::cin >> word;) {
        std::printf("%.9g %.9g\n", speed(batch, controls, 1), speed(batch, controls, 5));
        std::fflush(stdout);
    }
}
