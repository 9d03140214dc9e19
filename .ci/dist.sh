#!/bin/bash
# dist.sh [TARGET...]: builds what is released into dist/: for each target an archive and the VS Code extension; the Neovim plugin, an
# SBOM and checksums. docs/release.md says what is in them, and what cannot be built on one machine.
#
# A target is VS Code's name of a platform; default linux-x64, linux-arm64 and win32-x64. The same commit gives the same bytes, with the same
# compilers: times are those of the commit, names are sorted, nothing of the machine is in them.
set -euo pipefail

repo=$(cd "$(dirname "$0")/.." && pwd)
out=$repo/dist
here=$repo/.ci/dist
cd "$repo"
[ $# -gt 0 ] || set -- linux-x64 linux-arm64 win32-x64
version=$(cat VERSION)
[ -z "$(git status --porcelain)" ] || {
  version+=-dirty
  echo "there is what is not committed: the version is $version" >&2
}
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git show -s --format=%ct HEAD)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
host=$(go env GOHOSTARCH)

main() {
  install_tools "$@"
  rm -rf "$out" && mkdir "$out"
  build "linux-${host/amd64/x64}" "$work/host" # its completions are in all archives
  for target in "$@"; do
    release "$target"
  done
  plugin "$work/agent-lsp.nvim"
  archive "$work/agent-lsp.nvim" "$out/agent-lsp-$version-neovim.tar.gz"
  node "$here/sbom.mjs" "$version" "$commit" "$SOURCE_DATE_EPOCH" "$work/host" >"$out/agent-lsp-$version.cdx.json"
  node "$here/validate.mjs" "$out/agent-lsp-$version.cdx.json"
  (cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS && cat SHA256SUMS)
}

install_tools() {
  local missing=()
  case "$host $*" in amd64*linux-arm64*) command -v aarch64-linux-gnu-g++ >/dev/null || missing+=(g++-aarch64-linux-gnu gcc-aarch64-linux-gnu) ;; esac
  case "$*" in *win32*) command -v zip >/dev/null || missing+=(zip) ;; esac
  case "$*" in *win32-x64*) command -v x86_64-w64-mingw32-g++ >/dev/null || missing+=(g++-mingw-w64-x86-64 gcc-mingw-w64-x86-64) ;; esac
  if [ ${#missing[@]} -gt 0 ]; then
    echo "installing from Debian: ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  fi
  npm_packages "$here" "the schema of the SBOM, and what checks by it"
  npm_packages "$repo/editor-clients/vscode" "what builds the extension, and what is in it"
}

npm_packages() {
  if [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ]; then return; fi
  echo "installing from npm: $2"
  (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.package-lock.json)
}

# whole TARGET: whether there is a C compiler for it, and so the grammars, which are C.
whole() { [[ $1 = linux-* || $1 = win32-x64 ]]; }

# build TARGET OUT: the program. Whole ones are linked statically, so that they need nothing of the machine.
build() {
  local os=${1%-*} arch=${1#*-} tags=() flags="-s -w -buildid= -X main.version=$version"
  arch=${arch/x64/amd64} os=${os/win32/windows}
  export GOOS=$os GOARCH=$arch CGO_ENABLED=0
  if whole "$1"; then
    CGO_ENABLED=1
    flags+=" -extldflags=-static"
  fi
  case $1 in
  linux-*) tags=(-tags osusergo,netgo) ;;
  win32-x64) export CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++ ;;
  esac
  if [ "$os $arch $host" = "linux arm64 amd64" ]; then
    export CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++
  fi
  echo "building the program for $os $arch" >&2
  go build -trimpath -buildvcs=false "${tags[@]}" -ldflags "$flags" -o "$2" ./cmd/agent-lsp
  unset GOOS GOARCH CGO_ENABLED CC CXX
}

# release TARGET: its archive and its extension.
release() {
  local target=$1 label=$version program=agent-lsp
  whole "$target" || label+=-preview
  [ "${target%-*}" = win32 ] && program=agent-lsp.exe
  local tree=$work/agent-lsp-$label-$target
  mkdir -p "$tree/bin"
  if [ "$target" = "linux-${host/amd64/x64}" ]; then cp "$work/host" "$tree/bin/$program"; else build "$target" "$tree/bin/$program"; fi
  share "$tree/share"
  if [ "${target%-*}" = win32 ]; then
    zipped "$tree" "$out/${tree##*/}.zip"
  else
    archive "$tree" "$out/${tree##*/}.tar.gz"
  fi
  extension "$target" "$tree/bin/$program" "$out/agent-lsp-$label-$target.vsix"
}

# share DIR: what is the same for all platforms, where a prefix like ~/.local or /usr/local has it.
share() {
  local doc=$1/doc/agent-lsp
  mkdir -p "$doc" "$1/man/man1" "$1/bash-completion/completions" "$1/zsh/site-functions" "$1/fish/vendor_completions.d" "$1/emacs/site-lisp"
  cp README.md LICENSE CHANGELOG.md "$doc"
  cp -r docs "$doc/docs"
  rm "$doc/docs/agent-lsp.1"
  notices >"$doc/THIRD-PARTY-NOTICES.txt"
  cp docs/agent-lsp.1 "$1/man/man1"
  "$work/host" completion bash >"$1/bash-completion/completions/agent-lsp"
  "$work/host" completion zsh >"$1/zsh/site-functions/_agent-lsp"
  "$work/host" completion fish >"$1/fish/vendor_completions.d/agent-lsp.fish"
  plugin "$1/nvim/site/pack/agent-lsp/start/agent-lsp.nvim"
  cp editor-clients/emacs/agent-lsp.el "$1/emacs/site-lisp"
}

notices() {
  [ -f "$work/notices" ] || node "$here/notices.mjs" "$work/host" >"$work/notices"
  cat "$work/notices"
}

# plugin DIR: the Neovim plugin as a plugin manager would have it.
plugin() {
  mkdir -p "$1"
  cp -r editor-clients/neovim/{README.md,doc,lsp,lua,plugin} LICENSE "$1"
  # What :helptags would make, so that nobody has to.
  grep -oE '\*[^*[:space:]|]+\*' "$1/doc/agent_lsp.txt" | tr -d '*' | sort | sed 's|.*|&\tagent_lsp.txt\t/*&*|' >"$1/doc/tags"
}

# archive DIR OUT
archive() {
  tar -C "${1%/*}" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --format=ustar \
    -cf - "${1##*/}" | gzip -9n >"$2"
}

# zipped DIR OUT
zipped() {
  find "$1" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
  (cd "${1%/*}" && find "${1##*/}" | sort | zip -qX9 "$2" -@)
}

# extension TARGET PROGRAM OUT
extension() {
  local made
  made=$(AGENT_LSP=$2 VERSION=$version NOTICES=$work/notices editor-clients/vscode/scripts/package.sh "$work/vsix" "$1")
  mv "$made" "$3"
}

main "$@"
