# shellcheck shell=bash
# Newer and rarer forms.

now=${ date +%s; }
name="${1@Q}"
unset_all() { unset -v "${!prefix@}"; }

coproc WORKER { while read -r line; do echo "$line"; done; }

first_of() {
  local -n list=$1
  local result=${| REPLY=${list[0]}; }
  case $result in
    a) echo a ;&
    b) echo b ;;&
    *) echo other ;;
  esac
}

last_of() { local -n list=$1; echo "${list[-1]}"; }

in_awk() {
  awk 'function helper(x) { return x * 2 }
    { print helper($1) }' "$@" |& tee log
}

is_link() {
  if [ \( -h "$1" -o -L "$1" \) -a -n "$2" ]; then
    readlink "$1"
  fi
}

after=1
