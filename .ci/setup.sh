#!/bin/bash
# Installs what the build and the tests need from the system, when it is not
# there: a C compiler (race detector), git and patch (judges of our diffs).
# Needs root on Debian only when something is missing.
set -euo pipefail

missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v git >/dev/null || missing+=(git)
command -v patch >/dev/null || missing+=(patch)
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
