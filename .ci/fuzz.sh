#!/usr/bin/env bash
# Runs all fuzz targets, one after the other, and ends by itself.
#
#   FUZZTIME=20m .ci/fuzz.sh [package ...]     default: 20m, ./...
#
# FUZZTIME is for all targets together; each gets the same share of it, at
# least 5 seconds. Compiling is not counted. A target that has not ended two
# minutes after its share is ended, which counts as a failure: with many
# workers on a busy machine, go test may never get through its start. What
# fails is written to testdata/fuzz of its package, to be mended and committed.
set -uo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
total=${FUZZTIME:-20m}
case $total in
*h) total=$((${total%h} * 3600)) ;;
*m) total=$((${total%m} * 60)) ;;
*) total=${total%s} ;;
esac
workers=${FUZZWORKERS:-$(nproc)}
bins=$(mktemp -d)
trap 'rm -rf "$bins"' EXIT

# A line for each target: package, folder, target.
targets=()
for line in $("$go" list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}={{.Dir}}{{end}}' "${@:-./...}"); do
	pkg=${line%%=*} dir=${line#*=}
	while read -r target; do
		targets+=("$pkg $dir $target")
	done < <(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/^func //')
done
share=$((total / ${#targets[@]}))
[ $share -ge 5 ] || share=5
echo "${#targets[@]} targets, ${share}s each"

failed=()
for line in "${targets[@]}"; do
	read -r pkg dir target <<<"$line"
	bin=$bins/$(tr / _ <<<"$pkg")
	if [ ! -e "$bin" ]; then
		"$go" test -c -fuzz=. -o "$bin" "$pkg" || exit 1
	fi
	echo "== $pkg $target"
	(cd "$dir" && timeout --kill-after=10 $((share + 120)) "$bin" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "${share}s" \
		-test.fuzzminimizetime 10x -test.parallel "$workers" -test.fuzzcachedir "$("$go" env GOCACHE)/fuzz/$pkg")
	status=$?
	[ $status -ne 124 ] && [ $status -ne 137 ] || echo "$target did not end within two minutes of its ${share}s and was ended" >&2
	[ $status -eq 0 ] || failed+=("$pkg.$target")
done
if [ ${#failed[@]} -gt 0 ]; then
	printf 'failed: %s\n' "${failed[@]}" >&2
	exit 1
fi
