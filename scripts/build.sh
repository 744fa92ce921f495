#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures a preset once and builds it; a second call is incremental.
set -euo pipefail
preset=$1
shift
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null
cmake --build "build/$preset" -j"${JOBS:-$(nproc)}" ${1:+--target "$@"} | sed -u -n '/warning:\|error:\|FAILED\|Linking.*shared\|^ninja: [^n]/p'
exit "${PIPESTATUS[0]}"
