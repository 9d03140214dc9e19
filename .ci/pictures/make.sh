#!/bin/bash
# Makes docs/pictures from what really runs: the demo in a terminal.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repo=$(dirname "$(dirname "$here")")
columns=130 rows=76

missing=()
command -v tmux >/dev/null || missing+=(tmux)
command -v chromium >/dev/null || missing+=(chromium)
fc-list 2>/dev/null | grep -q DejaVuSansMono || missing+=(fonts-dejavu-core fontconfig)
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing from Debian: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
[ -d "$here/node_modules" ] || {
  echo "installing from npm: xterm, playwright-core"
  (cd "$here" && npm ci --ignore-scripts --no-audit --no-fund --silent)
}

pane=$(mktemp)
trap 'rm -f "$pane"; tmux -L agent-lsp-pictures kill-server 2>/dev/null || true' EXIT
export LANG=C.UTF-8
tmux -L agent-lsp-pictures -u new-session -d -x $columns -y $rows \
  "FORCE_COLOR=1 $repo/.ci/demo.sh 2>&1 | tail -n +4 | head -73; tmux -L agent-lsp-pictures wait-for -S done; sleep 60"
tmux -L agent-lsp-pictures wait-for done
tmux -L agent-lsp-pictures capture-pane -e -N -p >"$pane"
mkdir -p "$repo/docs/pictures"
node "$here/shot.mjs" "$pane" "$repo/docs/pictures/demo.png" $columns $rows
echo "docs/pictures/demo.png"
