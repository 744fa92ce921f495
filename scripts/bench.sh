#!/usr/bin/env bash
# bench.sh BUILD suite|parts [MODELS…]: both libraries in one process, ratios (reference / ours).
#   suite  steps, stages and loading over scenes/ and MODELS (lists, folders or files); writes docs/performance.md
#   parts  the programs that time one subject each; MODELS is the folder that their models are relative to
set -euo pipefail
build=$1 what=$2
shift 2
reference=$(echo "$build"/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0)
[ "$what" = suite ] && exec scripts/bench.py "$build" "$reference" "$@"

for program in "$build"/release/bench/bench_*; do
  case "$program" in *_suite | *_count | *_growth | *_batch) continue ;; esac  # these have scripts of their own
  [ -x "$program" ] || continue
  echo "== $(basename "$program")"
  case "$program" in
    *_math) "$program" "$reference" "$build/release/libsinew.so" ;;
    *) "$program" "$reference" "$build/release/libsinew.so" "$@" ;;
  esac
done
