#!/usr/bin/env bash
# bench.sh BUILD SHARED: runs every benchmark with both libraries in one process and prints ratios (reference / ours).
set -euo pipefail
build=$1 shared=$2
reference=$(echo "$build"/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0)
for program in "$build"/release/bench/bench_*; do
  [ -x "$program" ] || continue
  echo "== $(basename "$program")"
  case "$program" in
    *_math) "$program" "$reference" "$build/release/libsinew.so" ;;
    *) "$program" "$reference" "$build/release/libsinew.so" "$shared/models" ;;
  esac
done
