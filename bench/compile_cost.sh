#!/usr/bin/env bash
# What a translation unit costs on each axis: seconds of compiler time and bytes of code.
# Usage: bench/compile_cost.sh BUILD_DIR   (a build with -DMJX_BUILD_BENCH=ON, for the generated humanoid.hpp; CXX chooses the compiler)
set -eu
cd "$(dirname "$0")/.."
build=${1:?usage: bench/compile_cost.sh BUILD_DIR}
model=$(find "$build" -name humanoid.hpp -print -quit)
[ -n "$model" ] || { echo "no humanoid.hpp in $build: build the target bench_step_humanoid first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure NAME SIMULATOR: compiles a program that steps it
measure() {
    cat > "$work/unit.cpp" <<PROGRAM
#include "humanoid.hpp"
#include "mjx/integrator/euler.hpp"
#include "mjx/integrator/rk4.hpp"
#include "mjx/model/model.hpp"
#include "mjx/scalar/dual.hpp"
#include "mjx/scalar/pack.hpp"
#include "mjx/simulator.hpp"
#include "mjx/solver/newton.hpp"
#include "mjx/solver/pgs.hpp"
using namespace mjx;
void run($2& sim) { sim.step(); }
PROGRAM
    TIMEFORMAT=%U
    seconds=$({ time "${CXX:-g++}" -std=c++20 -O2 -Iinclude -I"$(dirname "$model")" -c "$work/unit.cpp" -o "$work/unit.o"; } 2>&1 | tail -n 1)
    bytes=$(size "$work/unit.o" | awk 'NR == 2 {print $1}')
    printf '%8s s %10s bytes   %s\n' "$seconds" "$bytes" "$1"
}

measure "runtime model, double, RK4 and PGS" "Simulator<double, RK4, PGS>"
measure "runtime model, double, Euler and Newton" "Simulator<double, Euler, Newton>"
measure "fixed model, double" "Simulator<double, Euler, Newton, models::Humanoid>"
measure "fixed model, pack<float>" "Simulator<pack<float>, Euler, Newton, models::Humanoid>"
measure "fixed model, dual<double, 7>" "Simulator<dual<double, 7>, Euler, Newton, models::Humanoid>"
