#!/usr/bin/env bash
# browser.sh <mjx command> <models folder> <folder for npm packages>: the page in a real browser, if there is one. 77: left out.
set -eu
leave_out() { echo "left out: $*"; exit 77; }
browser=${MJX_BROWSER:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$browser" ] || leave_out "no Chromium (Debian: chromium)"
command -v node >/dev/null || leave_out "no node (Debian: nodejs)"
for package in three playwright-core gltf-validator; do
    [ -d "$3/node_modules/$package" ] && continue
    command -v npm >/dev/null || leave_out "no npm to bring $package"
    npm install --silent --no-audit --no-fund --prefix "$3" three playwright-core gltf-validator >/dev/null 2>&1 ||
        leave_out "npm cannot bring $package"
done
exec node "$(dirname "$0")/browser.mjs" "$1" "$2" "$3" "$browser"
