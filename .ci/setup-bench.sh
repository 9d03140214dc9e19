#!/bin/bash
# setup-bench.sh [GROUP]: installs what the measurements need beyond setup.sh:
# ripgrep, and sources that are searched; for the group tokens, or all, other
# tools that models have, 750 MB. All are pinned.
set -euo pipefail

bench=$(cd "$(dirname "$0")/../internal/bench" && pwd)

# from_npm FOLDER WHAT installs what the folder's lock file pins, when it is
# not there. npm writes its copy of that file last; an older one is of other
# versions.
from_npm() {
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] && return
  echo "installing from npm: $2"
  (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.package-lock.json)
}

[ "${1:-}" = tokens ] || from_npm "$bench" ripgrep
case ${1:-tokens} in tokens) from_npm "$bench/tokens" "other tools for models, and sources" ;; esac
echo "fetching Go modules: the corpus to search"
(cd "$bench/sources" && go mod download)
