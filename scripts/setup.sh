#!/usr/bin/env bash
# setup.sh [PACKAGE...]: installs the system packages that the build needs, and those named, where they are missing.
# Without root or sudo it prints the one command to run and stops.
set -euo pipefail

packages=(gcc cmake ninja-build pkg-config libqhull-dev libccd-dev libdeflate-dev libcmocka-dev
          clang clang-format clang-tidy cppcheck python3 python3-venv gnuplot-nox
          libhdf5-dev libopenmpi-dev openmpi-bin "$@")

command -v dpkg-query >/dev/null || { echo "setup: no dpkg here; needed packages: ${packages[*]}" >&2; exit 0; }

# a build without these has no windows, and their tests are left out
optional=(libglfw3-dev xvfb)

# those of a list that are missing
missing_of() {
  for package in "$@"; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || echo "$package"
  done
}
mapfile -t missing < <(missing_of "${packages[@]}")
mapfile -t wanted < <(missing_of "${optional[@]}")
[ $((${#missing[@]} + ${#wanted[@]})) -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  else
    echo "setup: please run: sudo apt-get install ${missing[*]} ${wanted[*]}" >&2
    [ ${#missing[@]} -eq 0 ] && exit 0
    exit 1
  fi
fi
echo "setup: installing ${missing[*]} ${wanted[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
[ ${#missing[@]} -eq 0 ] || "${as_root[@]}" apt-get install -y -qq "${missing[@]}" >/dev/null
[ ${#wanted[@]} -eq 0 ] || "${as_root[@]}" apt-get install -y -qq "${wanted[@]}" >/dev/null ||
  echo "setup: no ${wanted[*]}: windows of 'sinew view' are left out" >&2
