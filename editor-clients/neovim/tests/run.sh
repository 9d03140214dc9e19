#!/bin/bash
# run.sh [NAME]: lints the plugin and runs its tests (those whose file name holds NAME) in a real Neovim against the real server.
# On a bare Debian machine with Node it installs what it needs, and says so; what is there already is left alone.
#
# AGENT_LSP: path of the server, default bin/agent-lsp of this repository. NVIM: a Neovim 0.11+ to use instead of the cached one.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
plugin=$(dirname "$here")
repo=$(cd "$plugin/../.." && pwd)
export AGENT_LSP=${AGENT_LSP:-$repo/bin/agent-lsp}

fail() {
  echo "$*" >&2
  exit 1
}

[ -x "$AGENT_LSP" ] || fail "$AGENT_LSP is not there: build the server first, or say where it is in AGENT_LSP"

if [ -z "${NVIM:-}" ]; then
  NVIM=$("$repo/.ci/get-nvim.sh" forky "$repo/.cache/nvim-forky")
fi

if ! command -v luacheck >/dev/null; then
  echo "installing luacheck (apt package lua-check)"
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends lua-check >/dev/null
fi

stylua=$plugin/node_modules/.bin/stylua
if [ ! -x "$stylua" ]; then
  echo "installing StyLua (npm) in editor-clients/neovim/node_modules"
  (cd "$plugin" && npm ci --no-audit --no-fund --silent)
fi

cd "$plugin"
echo "luacheck, stylua"
luacheck -q .
"$stylua" --check .

exec "$NVIM" --headless -u NONE -i NONE -n -l "$here/run.lua" "$@"
