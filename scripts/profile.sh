#!/usr/bin/env bash
# profile.sh: counts the branches of runs over our scenes into build/profile, for release_pgo.sh and wheel.sh. What was counted is kept
# while neither the library nor the models change. Exit status 77 where the compiler has no such profiles (all but gcc, from version 12 on).
set -euo pipefail
cd "$(dirname "$0")/.."
profile=build/profile

if ! echo 'int main(void) { return 0; }' | ${CC:-cc} -x c -fprofile-generate -fprofile-partial-training -fprofile-prefix-path=/ -o /dev/null - 2>/dev/null; then
  echo "profile: ${CC:-cc} cannot compile with a profile: what is built is the plain release" >&2
  exit 77
fi
scripts/build.sh release-profile sinew_shared bench_count

# runs of the table by their instructions, deformables of a usual size, then a little of everything else
models=(scenes/*.xml scenes/physics/*.xml scenes/contact/*.xml test/models/flex.xml test/models/golden/flex*.xml)
sum=$(cat build/release-profile/libsinew.so "$0" bench/training/* "${models[@]}" | sha256sum)
[ "$sum" != "$(cat "$profile/sum" 2>/dev/null)" ] || exit 0

# counters of an earlier run would be added to
rm -rf "$profile"
count() { build/release-profile/bench/bench_count build/release-profile/libsinew.so "$@"; }
while read -r name steps; do
  count "scenes/$name.xml" "$steps"
done < <(awk '!/^#/ {print $1, $2 ? int(40000 / $3) + 10 : 0}' bench/counts.txt)
count bench/training/cloth.xml 200
count bench/training/solid.xml 300
for model in "${models[@]}"; do
  count "$model" 20
done
echo "$sum" >"$profile/sum"
