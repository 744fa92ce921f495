#!/usr/bin/env bash
# release_pgo.sh: the release build with a profile (gcc), in three parts: a build that counts its branches (build/release-profile), runs of
# it over our scenes, a build with what was counted (build/release-pgo). Ends with the test of determinism: a profile moves code, never bits.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=build/profile
# a compiler's cache does not know which profile an object was compiled with
export CCACHE_DISABLE=1

# counters of an earlier run would be added to
scripts/build.sh release-profile sinew_shared bench_count
rm -rf "$profile"
count() { build/release-profile/bench/bench_count build/release-profile/libsinew.so "$@"; }

# about forty million instructions of each run of the table, deformables of a usual size, then a little of everything else
while read -r name steps; do
  count "scenes/$name.xml" "$steps"
done < <(awk '!/^#/ {print $1, $2 ? int(40000 / $3) + 10 : 0}' bench/counts.txt)
count bench/training/cloth.xml 200
count bench/training/solid.xml 300
for model in scenes/*.xml scenes/physics/*.xml scenes/contact/*.xml test/models/flex.xml test/models/golden/flex*.xml; do
  count "$model" 20
done

# objects do not depend on profiles as far as ninja knows: other counts, new objects
cmake --preset release-pgo >/dev/null
sum=$(cat "$profile"/*.gcda | sha256sum)
if [ "$sum" != "$(cat build/release-pgo/profile.sum 2>/dev/null)" ]; then
  cmake --build build/release-pgo --target clean >/dev/null
fi
cmake --build build/release-pgo -j"${JOBS:-$(nproc)}" --target sinew_shared sinew_static sinew_cli test_step_determinism >build/release-pgo/log || {
  tail -n 30 build/release-pgo/log
  exit 1
}
echo "$sum" >build/release-pgo/profile.sum

build/release-pgo/test/test_step_determinism >build/release-pgo/log 2>&1 || {
  cat build/release-pgo/log
  echo "release-pgo: gives other bits than the committed hashes"
  exit 1
}
echo "release-pgo: build/release-pgo/libsinew.so gives the same bits"
