#!/usr/bin/env bash
# determinism.sh [COMPILER-LEVEL...]: builds the determinism test with each compiler and optimisation level and runs it
# against the committed hashes. gcc-O3 has the flags of the release build, link-time optimisation included.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- gcc-O1 gcc-O3 clang-O1 clang-O3
for build in "$@"; do
  compiler=${build%-*} level=${build##*-} folder=build/determinism-$build
  lto=OFF
  [ "$build" != gcc-O3 ] || lto=ON

  # warnings depend on compiler and level; other builds answer for them
  cmake -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE="-$level -DNDEBUG" -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=$lto -DSINEW_WERROR=OFF >/dev/null
  cmake --build "$folder" -j"${JOBS:-$(nproc)}" --target test_step_determinism >"$folder/log" || {
    tail -n 30 "$folder/log"
    exit 1
  }
  start=$SECONDS
  "$folder/test/test_step_determinism" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    echo "determinism: $build gives other bits"
    exit 1
  }
  echo "determinism: $build gives the same bits ($((SECONDS - start)) s)"
done
