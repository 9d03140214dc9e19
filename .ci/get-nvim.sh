#!/bin/bash
# get-nvim.sh SUITE DIR: prints the path of a working Neovim, installing it on a Debian machine when it is not there yet.
#
# SUITE is the Debian release whose package is taken: forky (Neovim 0.12) or trixie (0.10). The packages are unpacked in DIR beside the
# host's own, with the C library they were built for, so that nothing of the host's system changes; only `patchelf` is installed on it,
# because a loader wrapper (ld.so --library-path) would leave v:progpath and the bundled parsers wrong.
# DIR cannot be moved afterwards: the paths in it are absolute.
set -euo pipefail

[ $# -eq 2 ] || {
  echo "usage: get-nvim.sh SUITE DIR" >&2
  exit 2
}
suite=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
nvim=$dir/usr/bin/nvim

works() { [ "$(cat "$dir/.done" 2>/dev/null)" = "$suite $dir" ] && "$nvim" --version >/dev/null 2>&1; }

mirror() {
  # shellcheck disable=SC1091,SC2016 # $(REPO_URI) is apt's placeholder, not the shell's
  apt-get indextargets --format '$(REPO_URI)' "Codename: $(. /etc/os-release && echo "$VERSION_CODENAME")" | sed -n 1p
}

install_patchelf() {
  command -v patchelf >/dev/null && return
  echo "installing patchelf (apt)" >&2
  apt-get update -qq >&2
  apt-get install -y -qq --no-install-recommends patchelf >&2
}

unpack() {
  echo "installing Neovim of Debian $suite in $dir (about 30 MB to download)" >&2
  rm -rf "$dir"
  local apt=$dir/.apt uri libs deb
  mkdir -p "$apt"/{lists/partial,archives/partial}
  : >"$apt/status"
  uri=$(mirror)
  if [ -z "$uri" ]; then # nothing is known before the machine's first update
    apt-get update -qq >&2
    uri=$(mirror)
  fi
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main" >"$apt/sources.list"
  local options=(-qq -o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt"
    -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3)
  apt-get "${options[@]}" update >&2
  apt-get "${options[@]}" install -y --no-install-recommends --download-only neovim >&2
  for deb in "$apt"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir" --exclude='./usr/share/doc' --exclude='*/gconv/*'
  done
  libs=$dir/usr/lib/x86_64-linux-gnu
  patchelf --set-interpreter "$libs/ld-linux-x86-64.so.2" --force-rpath --set-rpath "$libs" "$nvim"
  rm -rf "$apt"
  echo "$suite $dir" >"$dir/.done"
}

if ! works; then
  install_patchelf
  unpack
  "$nvim" --version | sed -n 1p >&2
fi
echo "$nvim"
