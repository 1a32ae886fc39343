#!/usr/bin/env bash
# Builds the fuzzer and runs it: bash tests/fuzz/run.sh [seconds] [clang++] [folder]. What it finds new is kept in folder/corpus, what
# breaks in folder/found; cut such a file down (-minimize_crash=1), drop its first byte and keep it as inputs/<door>.<what>.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-600} clang=${2:-clang++} folder=${3:-$here/../../build/fuzz}
sanitizers=fuzzer,address
if [ "$seconds" -gt 100 ]; then sanitizers+=,undefined; fi  # which takes as long again to compile
mkdir -p "$folder/corpus" "$folder/found"
if [ -z "$(find "$folder/fuzzer" -newer "$here/../../include/mjx/mjx.hpp" 2>/dev/null)" ] ||
    [ -n "$(find "$here" "$here/../../include" -name '*.[hc]pp' -newer "$folder/fuzzer" 2>/dev/null)" ]; then
    "$clang" -std=c++20 -O1 -g1 -ffp-contract=off "-fsanitize=$sanitizers" -fno-sanitize-recover=all -DMJX_HAVE_PNG \
        -I"$here/../../include" -I"$here/.." "$here/fuzzer.cpp" -o "$folder/fuzzer" -lqhull_r -lpng
fi
# each kept input with the number of its door in front
doors=(model schema obj stl msh png hfield state batch viewer)
for input in "$here"/inputs/*; do
    name=$(basename "$input")
    for i in "${!doors[@]}"; do
        if [ "${doors[$i]}" = "${name%%.*}" ]; then
            printf "\\x$(printf %02x "$i")" | cat - "$input" > "$folder/corpus/$name"
        fi
    done
done
cd "$folder"
# Leaks are looked for through /proc and ptrace, which some containers forbid: that alone is left out there.
if ! ./fuzzer -help=1 >/dev/null 2>&1; then
    echo "leaks cannot be looked for on this machine: they are left out"
    export ASAN_OPTIONS=detect_leaks=0
fi
./fuzzer -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2000 -max_len=4096 -artifact_prefix=found/ -print_final_stats=1 -verbosity=0 corpus
