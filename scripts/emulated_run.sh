#!/usr/bin/env bash
# run.sh [SECONDS]: runs the tests of an unpacked bundle (scripts/emulated_bundle.sh), as many at a time as there are cores, each for SECONDS=400
# at most, and prints what became of each; outputs go to $OUT (or ./out). Fails when a test does.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
limit=${1:-400}
out=${OUT:-$PWD/out}
mkdir -p "$out/failed"

# some tests know where they were built; there is no harm where that place cannot be made
place=$(cat "$here/place.txt")
if [ ! -e "$place" ]; then
  mkdir -p "$(dirname "$place")" 2>/dev/null && ln -s "$here/tree" "$place" 2>/dev/null || true
fi

# sysroot: the loader and its libraries stand where programs look for them
mkdir -p "$here/sysroot"
ln -sfn "$here/lib" "$here/sysroot/lib"
cd "$here/tree" || exit 2
export here out limit
one() {
  IFS=$'\t' read -r -a word <<<"$1"
  local name=${word[0]} start=$SECONDS status
  local built=$here/tree/build/builds/aarch64 log
  log=$(mktemp)
  timeout -k 5 "$limit" "$here/qemu" -L "$here/sysroot" -E LD_LIBRARY_PATH="$built:$built/test" "${word[@]:1}" >"$log" 2>&1
  status=$?
  [ $status = 0 ] || tail -c 4000 "$log" >"$out/failed/$name.txt"
  rm -f "$log"
  echo "$status $name $((SECONDS - start))" >>"$out/results.txt"
}
export -f one
: >"$out/results.txt"

# those that take longest first
sort -t$'\t' -k1,1 "$here/tests.txt" | awk -F'\t' '{ print ($1 ~ /^(physics|scenes|collision|batch|solver|compile|golden|step)/ ? 0 : 1) "\t" $0 }' |
  sort -s -k1,1 | cut -f2- | tr '\n' '\0' | xargs -0 -P "$(nproc)" -I{} bash -c 'one "$1"' _ {}
awk '{ n[$1 == 0 ? "passed" : $1 == 124 || $1 == 137 ? "out of time" : "failed"]++ } END { for (k in n) print k ": " n[k] }' "$out/results.txt"
grep -v '^0 ' "$out/results.txt" | sort -k2 || true
! grep -qv '^0 ' "$out/results.txt"
