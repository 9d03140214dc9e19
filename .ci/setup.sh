#!/bin/bash
# Installs what the build and the tests need from the system, when it is not
# there: a C compiler (race detector), git and patch (judges of our diffs), zsh
# and fish;
# universal-ctags and the TypeScript compiler (judges of our outlines) and
# sources in many languages to outline, some from Debian, some pinned.
# Needs root on Debian only when something is missing.
set -euo pipefail

missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v git >/dev/null || missing+=(git)
command -v patch >/dev/null || missing+=(patch)
command -v zsh >/dev/null || missing+=(zsh) # completions are tried in them
command -v fish >/dev/null || missing+=(fish)
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing from Debian: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

go_version=$(go env GOVERSION | sed 's/^go//')
if [ "$(printf '%s\n' 1.26 "$go_version" | sort -V | head -1)" != 1.26 ]; then
  echo "Go 1.26 or newer is needed, found $go_version" >&2
  exit 1
fi

# What internal/judge compares outlines with, and on.
missing=()
ctags --version 2>/dev/null | grep -q 'Universal Ctags' || missing+=(universal-ctags)
ls /usr/lib/python3.*/dataclasses.py >/dev/null 2>&1 || missing+=(libpython3-stdlib)
command -v /usr/bin/python3 >/dev/null || missing+=(python3)
ls /usr/lib/ruby/3*/set.rb >/dev/null 2>&1 || missing+=(ruby)
[ -f /usr/lib/jvm/openjdk-17/lib/src.zip ] || missing+=(openjdk-17-source)
[ -d /usr/lib/rustlib/src/rust/library ] || missing+=(rust-src)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing from Debian: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

judge=$(cd "$(dirname "$0")/../internal/judge" && pwd)
# npm writes its copy of the lock file last; an older one is of other versions.
if ! [ "$judge/node_modules/.package-lock.json" -nt "$judge/package-lock.json" ]; then
  echo "installing from npm: the TypeScript compiler, and sources to outline"
  (cd "$judge" && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.package-lock.json)
fi
(
  cd "$judge/sources"
  modules=(github.com/CosmWasm/wasmvm/v3 github.com/apache/thrift github.com/google/flatbuffers github.com/junegunn/fzf github.com/sqlc-dev/sqlc)
  if [ "$(go list -mod=readonly -m -f '{{.Dir}}' "${modules[@]}" | grep -c .)" != ${#modules[@]} ]; then
    echo "fetching Go modules: sources to outline"
    go mod download "${modules[@]}"
  fi
)
