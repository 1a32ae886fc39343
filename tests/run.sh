#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test. Further arguments go to CMake's configure step.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

install_missing
install_optional
# ccache asks the compiler for its includes, in place of running the preprocessor first, keeps objects that go by precompiled headers, and
# knows them again in another copy of the repository.
export CCACHE_DEPEND="${CCACHE_DEPEND-1}" CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS-pch_defines,time_macros}"
export CCACHE_BASEDIR="${CCACHE_BASEDIR-$PWD}" CCACHE_NOHASHDIR="${CCACHE_NOHASHDIR-1}"
configure -DMJX_PRECOMPILED_TESTS=ON "$@"
say "building with $MJX_JOBS jobs"
built=0
keep_going=(-k)
if [ -f "$MJX_BUILD_DIR/build.ninja" ]; then keep_going=(-k 0); fi
cmake --build "$MJX_BUILD_DIR" -j "$MJX_JOBS" -- "${keep_going[@]}" || built=1
[ $built -eq 0 ] || say "some targets did not build (see above): their tests fail below"
say "running the tests"
tested=0
ctest --test-dir "$MJX_BUILD_DIR" --output-on-failure -j "$MJX_JOBS" || tested=$?
[ $built -eq 0 ] && exit $tested
exit 1
