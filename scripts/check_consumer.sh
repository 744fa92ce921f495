#!/usr/bin/env bash
# check_consumer.sh cmake|pkgconfig BUILD: installs BUILD into a temporary prefix, builds examples/consumer-<kind>
# against it and runs what comes out.
set -euo pipefail
kind=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null

case $kind in
  cmake)
    cmake -S examples/consumer-cmake -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
    cmake --build "$scratch/build" >/dev/null
    ;;
  pkgconfig)
    packages=$(dirname "$(find "$scratch/prefix" -name sinew.pc)")
    mkdir "$scratch/build"
    PKG_CONFIG_PATH=$packages make -s -C examples/consumer-pkgconfig OUT="$scratch/build"
    ;;
esac
libraries=$(dirname "$(find "$scratch/prefix" -name libsinew.so)")
for program in "$scratch"/build/consumer "$scratch"/build/consumer-static; do
  [ -x "$program" ] || continue
  answer=$(LD_LIBRARY_PATH=$libraries "$program")
  echo "$answer"
  [ "$answer" = "MuJoCo 3.5.0 interface; the ball rests at 0.100 m" ]
done
