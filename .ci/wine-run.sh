#!/bin/bash
# Runs one Windows program under wine, in the present folder, within .ci/wine.sh;
# go test -exec takes it.
exec chroot "${WINE_ROOT:?run this by .ci/wine.sh}" /bin/sh -c '
  cd "$1" && shift
  exec env -u XDG_STATE_HOME -u XDG_CACHE_HOME -u XDG_CONFIG_HOME -u TMPDIR -u GOTMPDIR -u XDG_RUNTIME_DIR \
    WINEPREFIX="${WINEPREFIX:-/root/agent-lsp-prefix}" WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="mscoree=;mshtml=" HOME=/root wine "$@"
' sh "$PWD" "$@" 2> >(grep -v -e 'it looks like wine32 is missing' -e 'multiarch needs to be enabled' -e 'execute the following command as root' -e 'dpkg --add-architecture' -e 'apt-get install wine32' >&2)
