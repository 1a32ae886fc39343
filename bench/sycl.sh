#!/usr/bin/env bash
# What a GPU's compiler makes of the kernels of SyclBatch, where AdaptiveCpp (with its translator to PTX) and ptxas are found; no GPU is needed.
# Then an estimate of their memory traffic (needs valgrind) and of how much the lanes of a warp differ, of a humanoid on a floor.
# Usage: bench/sycl.sh BUILD_DIR [ROBOT...]
#   BUILD_DIR       a build with benchmarks (mjx_generate; bench_sycl_traffic for the estimates)
#   ROBOT           files of tests/models (humanoid, cheetah, arm, chain15, pendulum: the default; workshop, boulders) or paths of MJCF files,
#                   with :CONTACTS:ROWS if need be
#   ACPP, PTXAS     the compilers, unless they are in the PATH;  SM=80, REGISTERS=128: the target
#   CONVEX=float    what convex geoms collide in; double by default
set -eu
cd "$(dirname "$0")/.."
root=$PWD
usage="usage: bench/sycl.sh BUILD_DIR [ROBOT...]"
build=$(cd "${1:?$usage}" && pwd)
shift
[ $# -gt 0 ] || set -- humanoid:16:96 cheetah:16:64 arm chain15 pendulum
acpp=$(command -v "${ACPP:-acpp}") || { echo "AdaptiveCpp was not found: put its acpp into the PATH or give ACPP" >&2; exit 1; }
ptxas=$(command -v "${PTXAS:-ptxas}") || { echo "ptxas was not found: put CUDA's bin into the PATH or give PTXAS" >&2; exit 1; }
prefix=$(cd "$(dirname "$acpp")/.." && pwd)
translator=$prefix/lib/hipSYCL/llvm-to-backend/llvm-to-ptx-tool
[ -x "$translator" ] || { echo "$prefix has no translator to PTX: build AdaptiveCpp with its CUDA backend" >&2; exit 1; }
generator=$(find "$build" -name mjx_generate -type f -print -quit)
[ -n "$generator" ] || { echo "no mjx_generate in $build: build the target mjx_generate first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$prefix/lib:$prefix/lib/hipSYCL/llvm-to-backend${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# the translator looks for its libraries beside the folder it is in
mkdir "$work/bin"
ln -s "$prefix/lib" "$work/lib"
cp "$translator" "$work/bin/ptx"

# cpu SECONDS_FILE COMMAND...: runs it and leaves its CPU seconds.
cpu() {
    local to=$1 TIMEFORMAT=%U
    shift
    { time "$@" > "$work/log" 2>&1; } 2> "$to" || { cat "$work/log" >&2; return 1; }
}

# Leaves of the kernels in a program the one that steps, as it is launched (each is there a second time, for ranges with an offset).
steps_alone() {
    python3 - "$1" <<'FILTER'
import re, sys
data = open(sys.argv[1], "rb").read()
end = data.index(b"__acpp_hcf_binary_appendix")
def keep(kernel):
    return kernel.group(0) if "enqueue_steps" in kernel.group(1) and "for_offset" not in kernel.group(1) else ""
head = re.sub(r"\{\.(_Z\w*__acpp_sscp_kernel\w*)\n.*?\}\.\1\n", keep, data[:end].decode(), flags=re.S)
open(sys.argv[1], "wb").write(head.encode() + data[end:])
FILTER
}

measure() {
    local name=$1 file=${2%%:*} sizes=() limits
    case $file in */*) name=$(basename "$name") ;; *) file=$root/tests/models/$file.xml ;; esac
    IFS=: read -r _ contacts rows <<< "$2::"
    [ -z "$contacts" ] || sizes+=(--contacts "$contacts")
    [ -z "${rows%%:*}" ] || sizes+=(--rows "${rows%%:*}")
    "$generator" "$file" Robot "$work/robot.hpp" "$work/robot.d" "${sizes[@]}"
    cat > "$work/kernel.cpp" <<PROGRAM
#include "robot.hpp"
#include "mjx/integrators.hpp"
#include "mjx/solvers.hpp"
#include "mjx/sycl.hpp"
int main() { mjx::SyclBatch<float, mjx::Euler, mjx::Newton, mjx::ConvexIn<${CONVEX:-double}, models::Robot>>(64).step(); }
PROGRAM
    cd "$work"
    cpu clang "$acpp" -O1 --acpp-targets=generic -std=c++20 -ffp-contract=off -fno-unroll-loops -fno-math-errno -I"$root/include" -I. \
        -mllvm -acpp-sscp-emit-hcf -c kernel.cpp -o kernel.o
    steps_alone kernel.cpp.hcf
    cpu translated bin/ptx --build-opt ptx-version=70 --build-opt "ptx-target-device=${SM:-80}" kernel.cpp.hcf kernel.ptx llvm-ir.global
    cpu assembled "$ptxas" "-arch=sm_${SM:-80}" -O3 -v "-maxrregcount=${REGISTERS:-128}" kernel.ptx -o kernel.cubin
    limits=$(sed -n 's/.* \([0-9]*\) bytes stack frame, \([0-9]*\) bytes spill stores, \([0-9]*\) bytes spill loads.*/\1 \2 \3/p' log | head -n 1)
    read -r frame stores loads <<< "$limits"
    registers=$(sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' log | head -n 1)
    code=$((16#$(readelf -SW kernel.cubin 2> /dev/null | sed -n 's/.*\.text\..*PROGBITS *[0-9a-f]* *[0-9a-f]* *\([0-9a-f]*\).*/\1/p' | head -n 1)))
    printf '%-18s %6s %6s %6s %6s %9s %7s %7s %10s %6s\n' "$name" "$(cat clang)" "$(cat translated)" "$(cat assembled)" "$registers" "$frame" \
        "$stores" "$loads" "$code" "$(grep -c '\.f64' kernel.ptx || true)"
    cd "$root"
}

echo "float, Euler, Newton, sm_${SM:-80}; CPU seconds from source to program, then bytes"
printf '%-18s %6s %6s %6s %6s %9s %7s %7s %10s %6s\n' robot clang PTX ptxas regs frame stores loads code fp64
for robot in "$@"; do measure "$robot" "$robot"; done

program=$(find "$build" -name bench_sycl_traffic -type f -print -quit)
[ -n "$program" ] || { echo "no bench_sycl_traffic in $build: no estimates" >&2; exit 0; }
"$program"
if command -v valgrind > /dev/null; then python3 bench/sycl_traffic.py "$program"; else echo "valgrind was not found: no estimate of memory traffic"; fi
