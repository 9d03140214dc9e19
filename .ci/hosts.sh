#!/bin/bash
# hosts.sh [HOST...]: tries agent-lsp with real assistant hosts (claude, codex, gemini, opencode, copilot, qwen; all when none is named),
# each as `agent-lsp setup` leaves it, against a scripted model (internal/hosttest).
#
# Installs the hosts from npm in .cache/hosts where that version is not there yet (all: about 1.3 GB), and says so; no install script runs.
# What they do has no way to other machines: a network of its own where the system allows that, else a proxy that refuses.
# PICTURE: a file for what the one host's own screen shows of a conversation, in place of the checks.
# AGENT_LSP: path of the server, default bin/agent-lsp of this repository. NVIM: a Neovim 0.11+ to use instead of the cached one.
set -euo pipefail

repo=$(cd "$(dirname "$0")/.." && pwd)
room=$repo/internal/hosttest
cache=$repo/.cache/hosts
[ $# -gt 0 ] || set -- claude codex gemini opencode copilot qwen

for host in "$@"; do
  from=$room/npm/$host to=$cache/$host
  [ -f "$from/package-lock.json" ] || {
    echo "there is no host $host; there are:" $(ls "$room/npm") >&2
    exit 2
  }
  # npm writes its copy of the lock file last.
  if ! cmp -s "$from/package-lock.json" "$to/package-lock.json" || ! [ -f "$to/node_modules/.package-lock.json" ]; then
    echo "installing from npm in ${to#"$repo/"}: $(sed -n 's/^    "\(.*\)": "\(.*\)"$/\1 \2/p' "$from/package.json")"
    rm -rf "$to"
    mkdir -p "$to"
    cp "$from/package.json" "$to"
    cp "$from/package-lock.json" "$to"
    (cd "$to" && npm ci --ignore-scripts --no-audit --no-fund --silent)
  fi
  if [ "$host" = claude ] && [ -z "${NVIM:-}" ]; then # it is tried beside a real Neovim
    NVIM=$("$repo/.ci/get-nvim.sh" forky "$repo/.cache/nvim-forky")
  fi
done

alone=()
for unshare in "unshare -n" "unshare -rn"; do
  if command -v ip >/dev/null && $unshare ip link set lo up 2>/dev/null; then
    alone=($unshare sh -c 'ip link set lo up && exec "$@"' sh)
    break
  fi
done

run=$cache/hosttest
(cd "$repo" && "${GO:-go}" build -o "$run" ./internal/hosttest/cmd)
exec ${alone[@]+"${alone[@]}"} "$run" -server "${AGENT_LSP:-$repo/bin/agent-lsp}" -hosts "$cache" -nvim "${NVIM:-}" -plugin "$repo/editor-clients/neovim" \
  -picture "${PICTURE:-}" "$@"
