#!/bin/bash
# Runs the Emacs client's test in a real Emacs, with Debian's eglot.
# AGENT_LSP: the program under test, absolute.
set -euo pipefail
cd "$(dirname "$0")"

elpa=/usr/share/emacs/site-lisp/elpa
if ! command -v emacs >/dev/null || ! ls -d "$elpa"/eglot-* >/dev/null 2>&1; then
  echo "installing from Debian: emacs-nox elpa-eglot"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends emacs-nox elpa-eglot >/dev/null
fi
paths=()
for dir in "$elpa"/*/; do paths+=(-L "$dir"); done
XDG_CACHE_HOME=$(mktemp -d)
XDG_RUNTIME_DIR=$XDG_CACHE_HOME
export XDG_CACHE_HOME XDG_RUNTIME_DIR
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
timeout 120 emacs --batch -Q "${paths[@]}" -L . -l test.el
