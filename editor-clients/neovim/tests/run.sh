#!/bin/bash
# run.sh [NAME]: lints the plugin and runs its tests (those whose file name holds NAME) in a real Neovim against the real server.
# On a bare Debian machine with Node it installs what it needs, and says so; what is there already is left alone.
#
# Language servers, in .cache/servers: gopls by `go install`, typescript-language-server from npm.
# GOPLS, TSSERVER: paths of those to use instead. EDITS: how many edits settled.lua makes, 20 by default.
# AGENT_LSP: path of the server, default bin/agent-lsp of this repository. NVIM: a Neovim 0.11+ to use instead of the cached one.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
plugin=$(dirname "$here")
repo=$(cd "$plugin/../.." && pwd)
gopls=gopls@v0.21.0
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

cache=$repo/.cache/servers
if [ -z "${GOPLS:-}" ]; then
  GOPLS=$cache/$gopls/gopls
  if [ ! -x "$GOPLS" ]; then
    echo "installing $gopls (go install) in .cache/servers"
    GOBIN=$(dirname "$GOPLS") "${GO:-go}" install "golang.org/x/tools/$gopls"
  fi
fi
if [ -z "${TSSERVER:-}" ]; then
  TSSERVER=$cache/node_modules/.bin/typescript-language-server
  # npm writes its copy of the lock file last.
  if ! cmp -s "$here/servers/package-lock.json" "$cache/package-lock.json" || ! [ -f "$cache/node_modules/.package-lock.json" ]; then
    echo "installing typescript-language-server (npm) in .cache/servers"
    mkdir -p "$cache"
    cp "$here/servers/package.json" "$here/servers/package-lock.json" "$cache"
    (cd "$cache" && npm ci --ignore-scripts --no-audit --no-fund --silent)
  fi
fi
export GOPLS TSSERVER

cd "$plugin"
echo "luacheck, stylua"
luacheck -q .
"$stylua" --check .

"$NVIM" --headless -u NONE -i NONE -n -l "$here/run.lua" "$@"
[ $# -gt 0 ] || exec "$NVIM" --headless -u NONE -i NONE -n -l "$here/settled.lua" "${EDITS:-20}"
