#!/usr/bin/env bash
# setup.sh [PACKAGE...]: installs the system packages that the build needs, and those named, where they are missing.
# Without root or sudo it prints the one command to run and stops.
set -euo pipefail

packages=(gcc cmake ninja-build pkg-config libqhull-dev libccd-dev libdeflate-dev libcmocka-dev
          clang clang-format clang-tidy cppcheck python3 python3-venv gnuplot-nox
          libhdf5-dev libopenmpi-dev openmpi-bin "$@")

command -v dpkg-query >/dev/null || { echo "setup: no dpkg here; needed packages: ${packages[*]}" >&2; exit 0; }

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  else
    echo "setup: please run: sudo apt-get install ${missing[*]}" >&2
    exit 1
  fi
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq "${missing[@]}" >/dev/null
