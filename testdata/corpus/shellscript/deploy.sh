#!/usr/bin/env bash
#
# Brings a built site to the hosts of a fleet, one ring after the other.
# Usage: deploy.sh [-n] [-r ring]... command

set -euo pipefail
shopt -s extglob nullglob

# Where everything is kept.
readonly ROOT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly RELEASES="${ROOT_DIR}/releases" LOCK_FILE="/tmp/deploy.lock"
declare -r  KEEP=5
declare -ri PORT=8022

VERSION="${VERSION:-$(git describe --always)}"
export LC_ALL=C
dry_run=0 verbose=
rings=()
declare -A hosts=(
  [canary]="a1 a2"
  [early]="b1 b2 b3"   # three of them
  [all]="c1 c2 c3 c4"
)
declare -a queue
typeset -i tries=3
usage_text=$(cat <<'USAGE'
deploy.sh: brings a built site to the hosts of a fleet

inner_usage() { this is text, no function; }
commands: check push activate rollback
USAGE
)

alias ll='ls -l'
alias reload="source ~/.profile" quiet='deploy.sh -q'

# log writes to standard error, in colour if that is a terminal.
log() {
  local level=$1; shift
  local colour=''
  case "$level" in
    error) colour=$'\e[31m' ;;
    warn)  colour=$'\e[33m' ;;
  esac
  [[ -t 2 ]] || colour=''
  printf '%s%s: %s\e[0m\n' "$colour" "$level" "$*" >&2
}
die() { log error "$@"; exit 1; }

function usage {
  echo "$usage_text"
}

# This comment belongs to nobody.

function with-lock() {
  local fd
  exec {fd}>"$LOCK_FILE"
  flock -n "$fd" || die "somebody else is deploying"
  "$@"
}

run()
{
  if (( dry_run )); then
    echo "+ $*"
  else
    "$@"
  fi
}

# Everything in parentheses: the folder changes for this function only.
in_release() (
  cd "$RELEASES/$1"
  shift
  "$@"
)

site::check() {
  local file missing=0

  # complain tells of one file that is not there.
  complain() {
    log warn "missing: $1"
    missing=$(( missing + 1 ))
  }

  for file in index.html robots.txt "größe.txt"; do
    [ -f "$ROOT_DIR/public/$file" ] || complain "$file"
  done
  return "$missing"
}

site::push() {
  local host=$1 target="$RELEASES/$VERSION"
  rsync -az --delete \
    --rsh="ssh -p $PORT" \
    "$ROOT_DIR/public/" \
    "$host:$target/"
  ssh -p "$PORT" "$host" bash -s <<-REMOTE
	mkdir -p $target
	cleanup() { rm -rf "$target.tmp"; }
	trap cleanup EXIT
	REMOTE
}

site::activate() {
  local host="$1"
  ssh "$host" "ln -sfn '$RELEASES/$VERSION' '$ROOT_DIR/current'"
}

# shellcheck disable=SC2029
# Goes back to the release before this one.
site::rollback() {
  local host=$1 previous
  previous=$(ssh "$host" "ls -1t '$RELEASES'" | sed -n 2p)
  [[ -n $previous ]] || return 1
  ssh "$host" "ln -sfn '$RELEASES/$previous' '$ROOT_DIR/current'"
}

function prune
{
  local -a old
  mapfile -t old < <(ls -1t "$RELEASES" | tail -n +$(( KEEP + 1 )))
  (( ${#old[@]} )) && run rm -rf -- "${old[@]/#/$RELEASES/}"
}

retry() {
  local i
  for (( i = 1; i <= tries; i++ )); do
    if "$@"; then return; fi
    sleep "$i"
  done
  return 1
} 2>/dev/null

is_number() [[ $1 == +([0-9]) ]]

each_host() {
  local ring=$1 host; shift
  for host in ${hosts[$ring]}; do
    "$@" "$host" || log error "$host failed"
  done
}

main() {
  local opt
  while getopts ':nvr:h' opt; do
    case $opt in
      n) dry_run=1 ;;
      v) verbose=1 ;;
      r) rings+=("$OPTARG") ;;
      h) usage; exit ;;
      *) die "no such option: -$OPTARG" ;;
    esac
  done
  shift $(( OPTIND - 1 ))
  (( ${#rings[@]} )) || rings=(canary)

  local ring
  for ring in "${rings[@]}"; do
    each_host "$ring" retry "site::${1:-check}"
  done
  prune
}

if [[ -n ${DEPLOY_TEST:-} ]]; then
  # fake_ssh takes the place of ssh in tests.
  fake_ssh() { echo "ssh $*"; }
  ssh() { fake_ssh "$@"; }
fi

started=$(date +%s)
trap 'log info "took $(( $(date +%s) - started ))s"' EXIT
[[ "${BASH_SOURCE[0]}" != "$0" ]] || with-lock main "$@"
