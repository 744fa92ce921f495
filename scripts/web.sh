#!/usr/bin/env bash
# web.sh BUILD: the viewer as a page: BUILD/web/page, a static folder. Needs emscripten and zip; fetches the sources of the
# libraries below the engine from the system's package archive.
set -euo pipefail
build=$1
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}  # where the packages of emscripten lie for any node
scripts/web_sources.sh "$build/web/sources"
[ -f "$build/web/wasm/build.ninja" ] ||
  emcmake cmake -S web -B "$build/web/wasm" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSOURCES="$PWD/$build/web/sources" >/dev/null
cmake --build "$build/web/wasm" -j"${JOBS:-$(nproc)}" | sed -u -n '/warning:\|error:\|FAILED\|Linking/p'

page=$build/web/page
mkdir -p "$page/plain" "$page/threads"
cp web/index.html web/page.js web/isolate.js "$build/web/wasm/simd/sinew.js" "$build/web/wasm/simd/sinew.wasm" "$page/"
cp "$build/web/wasm/plain/sinew.js" "$build/web/wasm/plain/sinew.wasm" "$page/plain/"
cp "$build/web/wasm/threads/"sinew{.js,.worker.js,.wasm} "$page/threads/"
rm -f "$page/scenes.zip"
(cd scenes && zip -qr - . -x README.md 'assets/make_assets.py' '*MUJOCO_LOG.TXT') > "$page/scenes.zip"
for file in sinew.wasm sinew.js plain/sinew.wasm threads/sinew.wasm scenes.zip; do
  printf '%-16s %8d bytes, %8d gzipped\n' "$file" "$(wc -c < "$page/$file")" "$(gzip -9 -c "$page/$file" | wc -c)"
done
echo "web: $page; python3 -m http.server -d $page shows it"
