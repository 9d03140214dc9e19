#!/bin/bash
# Runs a command on the host from which `.ci/wine-run.sh PROGRAM.exe` runs Windows
# programs: .ci/wine.sh COMMAND [ARGUMENT]...
#
# What is mounted for that, and every process that wine starts, is gone when the
# command ends: it has a mount and a process namespace of its own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
"$here/setup-windows.sh"
export WINE_ROOT=${WINE_ROOT:-/opt/agent-lsp-wine}
repository=$(dirname "$here")
exec unshare --mount --pid --fork --kill-child -- bash -c '
  set -euo pipefail
  repository=$1; shift
  mount -t proc proc "$WINE_ROOT/proc"
  mount --rbind /dev "$WINE_ROOT/dev"
  mount -t tmpfs tmpfs "$WINE_ROOT/tmp" # with a server of this run'"'"'s own
  mkdir -p "$WINE_ROOT$repository" "$repository/.cache/wine"
  mount --bind "$repository" "$WINE_ROOT$repository"
  export WINEPREFIX=${WINEPREFIX:-/root/agent-lsp-prefix}
  if ! [ -e "$WINE_ROOT$WINEPREFIX/.ready" ]; then
    "$repository/.ci/wine-run.sh" wineboot --init >/dev/null
    chroot "$WINE_ROOT" env WINEPREFIX="$WINEPREFIX" WINEDEBUG=-all wineserver -w
    # What wine copied from itself need not lie there twice.
    for copy in "$WINE_ROOT$WINEPREFIX"/drive_c/windows/system32/*; do
      own=$WINE_ROOT/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/$(basename "$copy")
      if cmp -s "$copy" "$own"; then ln -f "$own" "$copy"; fi
    done
    touch "$WINE_ROOT$WINEPREFIX/.ready"
  fi
  mount -t tmpfs tmpfs "$WINE_ROOT$WINEPREFIX/drive_c/users/root/AppData/Local/Temp"
  # What wine starts for its first program stays, and holds that one'"'"'s output: so
  # that is this one, which waits for an input that does not come.
  (tail -f /dev/null | "$repository/.ci/wine-run.sh" cmd >/dev/null 2>&1) &
  "$repository/.ci/wine-run.sh" cmd /c exit >/dev/null 2>&1 </dev/null
  export TMPDIR=$repository/.cache/wine GOTMPDIR=$repository/.cache/wine # what wine sees, too
  "$@"
' bash "$repository" "$@"
