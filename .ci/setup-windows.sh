#!/bin/bash
# Installs what `make test-windows` needs, where it is not there: a compiler for
# Windows (mingw-w64, from Debian) on the host, and beside the host, in a folder of
# its own, a Debian trixie with wine 10 (older ones are too old for Go). Nothing of
# it is installed into the host's system but the compiler.
#
#   WINE_ROOT=DIR   where the Debian with wine goes (1.2 GB); /opt/agent-lsp-wine
#   WINE_MIRROR=URL where Debian comes from; the one that apt uses
#
# Exits with 3, and one line that says why, where it cannot be had.
set -euo pipefail

root=${WINE_ROOT:-/opt/agent-lsp-wine}
suite=trixie
wine_version='10.0~repack-*' # what trixie has; another one may show other things

cannot() { echo "no Windows to test on: $*" >&2; exit 3; }

[ "$(uname -s)/$(uname -m)" = Linux/x86_64 ] || cannot "wine is set up on Linux x86_64 alone"

missing=()
command -v x86_64-w64-mingw32-gcc >/dev/null || missing+=(gcc-mingw-w64-x86-64)
command -v x86_64-w64-mingw32-g++ >/dev/null || missing+=(g++-mingw-w64-x86-64)
if ! [ -e "$root/.ready" ]; then command -v debootstrap >/dev/null || missing+=(debootstrap); fi
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || cannot "needs ${missing[*]}, and there is no apt-get"
  [ "$(id -u)" = 0 ] || cannot "needs ${missing[*]}: install them, or run this as root"
  echo "installing from Debian: ${missing[*]}"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    cannot "apt-get could not install ${missing[*]}"
fi

[ -e "$root/.ready" ] && exit 0
[ "$(id -u)" = 0 ] || cannot "setting up $root takes root (debootstrap, chroot)"

mirror=${WINE_MIRROR:-$(sed -n 's/^URIs: *\([^ ]*debian\/*\)$/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -1)}
[ -n "$mirror" ] || cannot "apt names no mirror of Debian; set WINE_MIRROR"
echo "installing Debian $suite with wine into $root (1.2 GB)"
rm -rf "$root"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >/dev/null || cannot "debootstrap of $suite from $mirror failed"
# Without this, installing asks questions and starts services.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
printf 'Package: wine wine64 libwine\nPin: version %s\nPin-Priority: 1001\n' "$wine_version" >"$root/etc/apt/preferences.d/wine"
mount -t proc proc "$root/proc"
trap 'umount "$root/proc" 2>/dev/null || true' EXIT
chroot "$root" /bin/sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends wine64 wine && apt-get clean' >/dev/null ||
  cannot "wine could not be installed from $mirror"
chroot "$root" dpkg-query -W -f '${Version}\n' wine >"$root/.ready"
echo "wine $(cat "$root/.ready")"
