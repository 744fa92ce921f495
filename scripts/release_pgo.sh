#!/usr/bin/env bash
# release_pgo.sh [TARGET…]: what is installed, build/release-pgo, and more targets of it: the release compiled with a profile (profile.sh), or
# without one where the compiler has none. Ends with the test of determinism: a profile moves code, never bits. DROPIN=ON: also under the
# reference's name. INSTALL_PREFIX: where it will be installed.
set -euo pipefail
cd "$(dirname "$0")/.."
use=use
scripts/profile.sh || { [ $? -eq 77 ] && use=; }

cmake --preset release-pgo -DSINEW_PROFILE=$use -DSINEW_DROPIN="${DROPIN:-OFF}" ${INSTALL_PREFIX:+-DCMAKE_INSTALL_PREFIX="$INSTALL_PREFIX"} >/dev/null
targets=(sinew_shared sinew_static sinew_cli test_step_determinism)
[ "${DROPIN:-OFF}" = OFF ] || targets+=(sinew_dropin)
cmake --build build/release-pgo -j"${JOBS:-$(nproc)}" --target "${targets[@]}" "$@" >build/release-pgo/log || {
  tail -n 30 build/release-pgo/log
  exit 1
}
build/release-pgo/test/test_step_determinism >build/release-pgo/log 2>&1 || {
  cat build/release-pgo/log
  echo "release-pgo: gives other bits than the committed hashes"
  exit 1
}
echo "release-pgo: build/release-pgo/libsinew.so gives the same bits"
