#!/usr/bin/env bash
# bits.sh BUILD: makes test/support/bits.txt again: runs all tests with the reference, which must agree, then twice
# without it, and keeps what comes out the same both times.
set -euo pipefail
tree=$1/debug
found=$PWD/$1/bits  # tests run in folders of their own
scripts/build.sh debug
ls "$1"/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0 >/dev/null
(cd "$tree" && SINEW_BITS=/nonexistent ctest -j2 --output-on-failure)
for time in 1 2; do
  rm -rf "$found/$time"
  mkdir -p "$found/$time"
  (cd "$tree" && SINEW_ORACLE='' SINEW_BITS=$found/$time ctest -j2 --output-on-failure)
  sort -u "$found/$time"/*.txt >"$found/$time.txt"
done
# keys with several hashes depend on something else
comm -12 "$found/1.txt" "$found/2.txt" | awk '{n[$1]++; line[$1] = $0} END {for (k in n) if (n[k] == 1) print line[k]}' | sort >test/support/bits.txt
echo "bits: $(wc -l <test/support/bits.txt) in test/support/bits.txt"
