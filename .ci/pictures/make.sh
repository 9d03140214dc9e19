#!/bin/bash
# Makes docs/pictures from what really runs: the demo in a terminal, a film of Neovim and an assistant, and what Neovim shows of the
# assistant's changes; what a test of the extension has seen in VS Code; and assistants' own screens in a conversation with a scripted
# model. make.sh hosts [HOST...]: the last alone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repo=$(dirname "$(dirname "$here")")
columns=130 rows=76

missing=()
command -v pngquant >/dev/null || missing+=(pngquant)
command -v tmux >/dev/null || missing+=(tmux)
command -v ffmpeg >/dev/null || missing+=(ffmpeg)
command -v chromium >/dev/null || missing+=(chromium)
fc-list 2>/dev/null | grep -q DejaVuSansMono || missing+=(fonts-dejavu-core fontconfig)
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing from Debian: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
NVIM=${NVIM:-$("$repo/.ci/get-nvim.sh" forky "$repo/.cache/nvim-forky")}
export NVIM
[ -d "$here/node_modules" ] || {
  echo "installing from npm: xterm, playwright-core"
  (cd "$here" && npm ci --ignore-scripts --no-audit --no-fund --silent)
}

# What the hosts show, each as `agent-lsp setup` leaves it (internal/hosttest).
hosts() {
  local host pane
  [ $# -gt 0 ] || set -- claude codex gemini opencode copilot qwen
  pane=$(mktemp)
  for host in "$@"; do
    PICTURE=$pane "$repo/.ci/hosts.sh" "$host"
    node "$here/shot.mjs" "$pane" "$pane.png" 100 "$(wc -l <"$pane")"
    pngquant --nofs --speed 1 --strip --force --output "$repo/docs/pictures/host-$host.png" 32 "$pane.png"
    echo "docs/pictures/host-$host.png"
  done
  rm -f "$pane" "$pane.png"
}

if [ "${1:-}" = hosts ]; then
  shift
  hosts "$@"
  exit
fi

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
node "$here/film.mjs" "$NVIM" "${AGENT_LSP:-$repo/bin/agent-lsp}" "$repo/docs/pictures"
[ "$(stat -c %s "$repo/docs/pictures/neovim.gif")" -le 307200 ] || {
  echo "docs/pictures/neovim.gif has more than 300 KB" >&2
  exit 1
}
echo "docs/pictures/neovim.gif docs/pictures/neovim-review.png"

"$repo/editor-clients/vscode/tests/run.sh" activity
cp "$repo/.cache/vscode/pictures/activity.png" "$repo/docs/pictures/vscode-activity.png"
echo "docs/pictures/vscode-activity.png"

hosts
