#!/usr/bin/env bash
# conform.sh BUILD SHARED [options]: runs the comparison program over our scenes and the shared models.
set -euo pipefail
build=$1 shared=$2
shift 2
if [ ! -f "$shared/conform/conform.c" ]; then
  echo "conform: no comparison program at $shared/conform, nothing to do"
  exit 0
fi
reference=$(echo "$build"/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0)
cc -O2 -Iinclude "$shared/conform/conform.c" -o "$build/conform" -ldl -lm
models=()
for scene in scenes/*.xml; do [ -f "$scene" ] && models+=("$scene"); done
if [ -f "$shared/models/rigid.txt" ]; then
  while read -r model; do models+=("$shared/models/$model"); done <"$shared/models/rigid.txt"
fi
"$build/conform" "$reference" "$build/release/libsinew.so" "$@" "${models[@]}"
