#!/usr/bin/env bash
# soak.sh BUILD MINUTES [SCENE...]: contact-rich scenes for a long time; fails when memory grows.
set -euo pipefail
build=$1
shift
scripts/build.sh release soak
exec "$build/release/test/soak/soak" "$@"
