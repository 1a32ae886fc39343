#!/usr/bin/env bash
# bash bench/view.sh BUILD [MODEL ...]: frames per second of the viewer in a headless Chromium, and the speed the simulation keeps.
# Needs node, npm and Chromium (MJX_BROWSER); MJX_SECONDS sets how long it looks at each model.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- "$here/../tests/models/humanoid.xml"
browser=${MJX_BROWSER:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
for package in three playwright-core; do
    [ -d "$build/three/node_modules/$package" ] || npm install --silent --no-audit --no-fund --prefix "$build/three" three playwright-core
done
exec node "$here/view.mjs" "$build/examples/mjx" "$build/three" "$browser" "${MJX_SECONDS:-10}" "$@"
