#!/usr/bin/env bash
# web_sources.sh FOLDER: the sources of the libraries that the engine stands on (qhull, libccd, libdeflate), from the system's
# own package archive, unpacked below FOLDER. WebAssembly needs them compiled anew.
set -euo pipefail
folder=$1
[ -f "$folder/done" ] && exit 0
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
folder=$(cd "$folder" && pwd)

# the archives of the system, for sources
{
  grep -hsE '^deb ' /etc/apt/sources.list /etc/apt/sources.list.d/*.list | sed 's/^deb /deb-src /' || true
} > "$folder/apt/old.list"
for list in /etc/apt/sources.list.d/*.sources; do
  [ -f "$list" ] && grep -q debian "$list" && sed 's/^Types: .*/Types: deb-src/' "$list" && echo
done > "$folder/apt/new.sources" || true
apt=(apt-get -qq -o "Dir::Etc::SourceList=$folder/apt/new.sources" -o Dir::Etc::SourceParts=/dev/null
     -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=root)
[ -s "$folder/apt/new.sources" ] || apt[3]="Dir::Etc::SourceList=$folder/apt/old.list"
"${apt[@]}" update
(cd "$folder" && "${apt[@]}" source --download-only qhull libccd libdeflate >/dev/null)
for name in qhull libccd libdeflate; do
  mkdir -p "$folder/$name"
  tar -xf "$folder/$name"_*.orig.tar.gz -C "$folder/$name" --strip-components=1
done
rm -rf "$folder/apt"
touch "$folder/done"
