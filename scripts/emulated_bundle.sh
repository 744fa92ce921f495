#!/usr/bin/env bash
# emulated_bundle.sh FOLDER: packs the tests that scripts/builds.sh built for aarch64, with the emulator and the files that they read, as
# FOLDER/emulated.tar.gz, to be run by its run.sh on any x86-64 machine with many cores (see scripts/emulated_run.sh).
set -euo pipefail
folder=$1
built=build/builds/aarch64
sysroot=/usr/aarch64-linux-gnu
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/emulated
mkdir -p "$root/lib" "$root/tree" "$folder"
cp "$(command -v qemu-aarch64-static)" "$root/qemu"
for name in ld-linux-aarch64.so.1 libc.so.6 libm.so.6 libgcc_s.so.1 libpthread.so.0 libdl.so.2; do
  cp -L "$sysroot/lib/$name" "$root/lib/" 2>/dev/null || true
done
git ls-files -z | grep -zv '^docs/images/' | xargs -0 cp --parents -t "$root/tree"

# programs, libraries and plugins, without what they were linked from
(cd "$built" && find . -type f \( -perm -u+x -o -name '*.so*' \) ! -path '*/CMakeFiles/*' ! -name '*.sh' -print0 |
  xargs -0 cp --parents -t "$(mkdir -p "$root/tree/$built" && echo "$root/tree/$built")")
cp -P "$built"/*.so "$built"/*.so.0 "$root/tree/$built/"
find "$root/tree/$built" -type f -exec aarch64-linux-gnu-strip {} + 2>/dev/null || true

# a line for each test: its name, program and arguments; those that run something else than the emulator are left out
(cd "$built" && ctest --show-only=json-v1) | python3 -c '
import json, re, sys
left_out = re.compile(sys.argv[2])
for test in json.load(sys.stdin)["tests"]:
    command = test.get("command", [""])
    if "qemu" in command[0] and not left_out.match(test["name"]):
        print(test["name"], *(word.replace(sys.argv[1] + "/", "") for word in command[3:]), sep="\t")
' "$PWD" "$(sed -n "s/.*EXCEPT='\(\S*\)'.*/\1/p" scripts/builds.sh)" >"$root/tests.txt"
echo "$PWD" >"$root/place.txt"
cp scripts/emulated_run.sh "$root/run.sh"
tar -C "$stage" -cz emulated >"$folder/emulated.tar.gz"
wc -l <"$root/tests.txt"
ls -l "$folder/emulated.tar.gz"
