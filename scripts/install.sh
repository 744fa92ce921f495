#!/usr/bin/env bash
# install.sh PREFIX DROPIN: installs the release with a profile; DROPIN=1 adds the library under the reference's name.
set -euo pipefail
[ "${2:-}" = 1 ] && dropin=ON || dropin=OFF
# the program is told at compile time where its modules will be
INSTALL_PREFIX=$1 DROPIN=$dropin scripts/release_pgo.sh
cmake --install build/release-pgo --strip >/dev/null
echo "installed below $1"
