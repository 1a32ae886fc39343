#!/usr/bin/env bash
# What a translation unit costs on each axis: seconds of compiler time, bytes of code, and what an environment takes in memory.
# Usage: bench/compile_cost.sh BUILD_DIR   (a build that made humanoid.hpp: benchmarks, examples or tests; CXX and CXXFLAGS choose the compiler)
set -eu
cd "$(dirname "$0")/.."
usage="usage: bench/compile_cost.sh BUILD_DIR"
build=${1:?$usage}
[ -d "$build" ] || { echo "$usage" >&2; [ "$build" = --help ]; exit; }
model=$(find "$build" -name humanoid.hpp -print -quit)
[ -n "$model" ] || { echo "no humanoid.hpp in $build: build the target bench_step_humanoid first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra flags <<< "${CXXFLAGS:--O2}"

# measure NAME SIMULATOR HEADER...: compiles a program that steps it. The size of Data is read off an array of that size, which only
# a fixed model can have.
measure() {
    local name=$1 simulator=$2
    shift 2
    {
        printf '#include "%s"\n' mjx/simulator.hpp mjx/integrators.hpp mjx/solvers.hpp "$@"
        cat <<PROGRAM
using namespace mjx;
using Sim = $simulator;
void run(Sim& sim) { sim.step(); }
template <class S> constexpr unsigned long bytes() { return S::model_type::is_fixed ? sizeof(typename S::data_type) / inner::lanes_v<typename S::scalar> : 1; }
char environment[bytes<Sim>()];
PROGRAM
    } > "$work/unit.cpp"
    local TIMEFORMAT=%U seconds code data
    seconds=$({ time "${CXX:-g++}" -std=c++20 "${flags[@]}" -Iinclude -I"$(dirname "$model")" -c "$work/unit.cpp" -o "$work/unit.o"; } 2>&1 | tail -n 1)
    code=$(size "$work/unit.o" | awk 'NR == 2 {print $1}')
    data=$((16#$(nm -S "$work/unit.o" | awk '$4 == "environment" {print $2}')))
    [ "$data" -gt 1 ] || data=-
    printf '%8s s %10s bytes of code %10s bytes of data   %s\n' "$seconds" "$code" "$data" "$name"
}

measure "runtime model, double, RK4 and PGS" "Simulator<double, RK4, PGS>" mjx/model.hpp
measure "runtime model, double, Euler and Newton" "Simulator<double, Euler, Newton>" mjx/model.hpp
measure "fixed model, double" "Simulator<double, Euler, Newton, models::Humanoid>" humanoid.hpp
measure "fixed model, float" "Simulator<float, Euler, Newton, models::Humanoid>" humanoid.hpp
measure "fixed model, pack<float>" "Simulator<pack<float>, Euler, Newton, models::Humanoid>" humanoid.hpp mjx/scalars.hpp
measure "fixed model, dual<double, 7>" "Simulator<dual<double, 7>, Euler, Newton, models::Humanoid>" humanoid.hpp mjx/scalars.hpp
