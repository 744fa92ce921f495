#!/usr/bin/env bash
# wheel_qhull.sh FOLDER: builds the distribution's qhull in FOLDER as a static library for wheels, with a qhull_r.pc: its binaries need
# the glibc of the distribution, and are not made to go into a shared library. The sources come from where the packages do; nothing
# of the system changes.
set -euo pipefail
folder=$(realpath -m "$1")
[ -f "$folder/qhull_r.pc" ] && exit 0
rm -rf "$folder"
mkdir -p "$folder"/apt/{parts,lists/partial,cache/archives/partial}

# the same places as for packages, asked for sources
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
  [ -f "$list" ] && sed -e 's/^Types:.*/Types: deb-src/' -e 's/^deb /deb-src /' "$list" >"$folder/apt/parts/$(basename "$list")"
done
apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/parts" -o Dir::State::Lists="$folder/apt/lists"
  -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User="$(id -un)")
"${apt[@]}" update
(cd "$folder" && "${apt[@]}" source qhull >/dev/null)

cmake -S "$folder"/qhull-*/ -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
  -DCMAKE_C_FLAGS=-fvisibility=hidden >/dev/null
cmake --build "$folder/build" --target qhullstatic_r -j"${JOBS:-$(nproc)}" >/dev/null
cat >"$folder/qhull_r.pc" <<END
Name: qhull_r
Description: convex hulls, static and position-independent
Version: 8.0
Libs: -L$folder/build -lqhullstatic_r -lm
Cflags: -I$(echo "$folder"/qhull-*/src)
END
