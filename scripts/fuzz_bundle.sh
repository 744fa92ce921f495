#!/usr/bin/env bash
# fuzz_bundle.sh FOLDER: packs the fuzz targets with seeds and libraries as FOLDER/fuzz.tar.xz, to be run by its fuzz.sh on any
# machine with a C library as new as this one's (see scripts/fuzz_run.sh).
set -euo pipefail
folder=$1
scripts/build.sh fuzz fuzzers
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/fuzz
mkdir -p "$root/lib" "$root/test/compile" "$folder"
for target in build/fuzz/test/fuzz/fuzz_*; do
  strip -o "$root/$(basename "$target")" "$target"
  ldd "$target" | awk '/=> \// && $1 !~ /^lib(c|m|pthread|dl|rt)\.so/ { print $3 }' >>"$stage/needed"
done
sort -u "$stage/needed" | xargs -I{} cp -L {} "$root/lib/"
cp -r test/models "$root/test/"
cp -r test/compile/broken "$root/test/compile/"
cp -r test/fuzz/seeds test/fuzz/*.dict "$root/"
cp scripts/fuzz_run.sh "$root/fuzz.sh"
tar -C "$stage" -c fuzz | xz -6 --lzma2=dict=192MiB -T1 >"$folder/fuzz.tar.xz"
ls -l "$folder/fuzz.tar.xz"
