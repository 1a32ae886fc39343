#!/usr/bin/env bash
# bash examples/view.sh [MODEL] [options of mjx view]: installs what is missing, builds the mjx command and shows a model in the browser.
set -eu
start=$PWD
cd "$(dirname "$0")/.."
. cmake/setup.sh

model=$PWD/tests/models/humanoid.xml
if [ $# -gt 0 ]; then
    model=$(cd "$start" && realpath "$1")
    shift
fi
install_missing
configure -DMJX_BUILD_TESTS=OFF
install_three
say "building the mjx command"
cmake --build "$MJX_BUILD_DIR" -j "$MJX_JOBS" --target mjx_command
exec "$MJX_BUILD_DIR/examples/mjx" view "$model" "$@"
