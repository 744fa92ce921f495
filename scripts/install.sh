#!/usr/bin/env bash
# install.sh PREFIX DROPIN: installs the release build; DROPIN=1 adds the library under the reference's name.
set -euo pipefail
[ "${2:-}" = 1 ] && dropin=ON || dropin=OFF
cmake --preset release -DSINEW_DROPIN=$dropin -DCMAKE_INSTALL_PREFIX="$1" >/dev/null
cmake --build build/release -j"$(nproc)" >/dev/null
cmake --install build/release --strip >/dev/null
echo "installed below $1"
