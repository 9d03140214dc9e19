#!/bin/bash
# Installs what the measurements need beyond setup.sh: ripgrep, and the corpus
# that is searched. Both are pinned.
set -euo pipefail

bench=$(cd "$(dirname "$0")/../internal/bench" && pwd)
# npm writes its copy of the lock file last; an older one is of other versions.
if ! [ "$bench/node_modules/.package-lock.json" -nt "$bench/package-lock.json" ]; then
  echo "installing from npm: ripgrep"
  (cd "$bench" && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.package-lock.json)
fi
echo "fetching Go modules: the corpus to search"
(cd "$bench/sources" && go mod download)
