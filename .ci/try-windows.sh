#!/bin/bash
# Looks at the program for Windows as its user does, within .ci/wine.sh: it edits on
# disk, and an assistant's process reads and edits what is typed and not saved in an
# editor beside which another one runs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=${AGENT_LSP:?}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL $*" >&2; exit 1; }
run() { (cd "$dir" && "$here/wine-run.sh" "$program" "$@" </dev/null 2>&1); }

printf 'package a\r\n\r\nfunc F() {}\r\n' >"$dir/a.go"
[[ $(run outline a.go) == *F* ]] || fail "no outline"
hash=$(run read-file a.go --json | grep -o 'sha256:[0-9a-f]*' | head -1)
run edit-file a.go --expected-hash "$hash" --old-text 'F()' --new-text 'G()' >/dev/null || fail "the edit was refused"
[ "$(cat "$dir/a.go")" = "$(printf 'package a\r\n\r\nfunc G() {}\r')" ] || fail "the file holds $(cat -A "$dir/a.go")"
run write-file deep/er/new.txt --content new >/dev/null || fail "no file was made"
[ "$(cat "$dir/deep/er/new.txt")" = new ] || fail "the new file holds something else"
for name in CON nul.txt 'a.txt:stream' 'a. ' 'C:\Windows\x.txt' '\\server\share\x' '..\x.txt' '/x.txt'; do
  if run write-file "$name" --content x >/dev/null; then fail "$name was written"; fi
done
[ "$(find "$dir" -type f | wc -l)" = 2 ] || fail "there are files: $(find "$dir")"
echo "ok   the program edits on disk, and nothing outside"
