#!/bin/bash
# Builds the program for Windows, and tests it under wine: unit, scenario, fault and
# kill tests, and the program from outside. Skipped, with a word why, where wine
# cannot be had.
#
#   test-windows.sh [PACKAGE...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${IN_WINE:-}" ]; then
  "$here/setup-windows.sh" || { [ $? = 3 ] && exit 0; exit 1; }
  IN_WINE=1 exec "$here/wine.sh" "$0" "$@"
fi
cd "$here/.."
export GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++
export LDFLAGS=-extldflags=-static GOFLAGS="-exec=$here/wine-run.sh -vet=off"
mkdir -p bin
echo "building the program for Windows"
GOFLAGS='' go build -trimpath -ldflags "-s -w $LDFLAGS" -o bin/agent-lsp.exe ./cmd/agent-lsp
AGENT_LSP=$PWD/bin/agent-lsp.exe "$here/try-windows.sh"
"$here/portable-tests.sh" "$@"
