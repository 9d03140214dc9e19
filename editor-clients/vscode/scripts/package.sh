#!/bin/bash
# package.sh OUT [TARGET]: builds the extension with the server inside, as OUT/agent-lsp-TARGET.vsix, and prints its path.
#
# TARGET is VS Code's name of a platform (linux-x64, darwin-arm64 ...), default that of this machine. AGENT_LSP: the server's program for
# it, default bin/agent-lsp of this repository. VERSION: the extension's version where it is to be another than package.json's. NOTICES:
# a file with the notices of what others wrote, to go with it.
set -euo pipefail

plugin=$(cd "$(dirname "$0")/.." && pwd)
repo=$(cd "$plugin/../.." && pwd)
out=${1:?usage: package.sh OUT [TARGET]}
server=${AGENT_LSP:-$repo/bin/agent-lsp}
target=${2:-$(node -p 'process.platform + "-" + process.arch')}
[ -x "$server" ] || {
  echo "$server is not there: build the server first, or say where it is in AGENT_LSP" >&2
  exit 1
}
mkdir -p "$out"
out=$(cd "$out" && pwd)

if ! [ "$plugin/node_modules/.package-lock.json" -nt "$plugin/package-lock.json" ]; then
  echo "installing the extension's tools (npm) in editor-clients/vscode/node_modules" >&2
  (cd "$plugin" && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.package-lock.json)
fi
node "$plugin/scripts/build.mjs"

# The package is put together beside the sources, so that they stay as they are.
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/server" "$stage/dist"
cp "$plugin"/{package.json,README.md,.vscodeignore} "$repo/LICENSE" "$stage"
[ -z "${NOTICES:-}" ] || cp "$NOTICES" "$stage/THIRD-PARTY-NOTICES.txt"
cp -r "$plugin/media" "$stage"
cp "$plugin"/dist/{extension,wire}.js "$stage/dist"
case $target in
win32-*) cp "$server" "$stage/server/agent-lsp.exe" ;;
*) cp "$server" "$stage/server/agent-lsp" ;;
esac
chmod 755 "$stage"/server/*

vsix=$out/agent-lsp-$target.vsix
(cd "$stage" && "$plugin/node_modules/.bin/vsce" package ${VERSION:+"$VERSION" --no-git-tag-version} --no-dependencies --target "$target" --out "$vsix" >&2)
echo "$vsix"
