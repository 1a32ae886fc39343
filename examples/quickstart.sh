#!/usr/bin/env bash
# Installs what is missing, builds the quickstart example and runs it.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

install_missing
configure "$@"
say "building the quickstart example"
cmake --build "$MJX_BUILD_DIR" -j "$MJX_JOBS" --target quickstart
say "running $MJX_BUILD_DIR/examples/quickstart"
"$MJX_BUILD_DIR/examples/quickstart"
