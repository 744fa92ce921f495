#!/usr/bin/env bash
# install.sh PREFIX DROPIN: installs the release with a profile; DROPIN=1 adds the library under the reference's name.
set -euo pipefail
[ "${2:-}" = 1 ] && dropin=ON || dropin=OFF
DROPIN=$dropin scripts/release_pgo.sh
cmake --install build/release-pgo --prefix "$1" --strip >/dev/null
echo "installed below $1"
