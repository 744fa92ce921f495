#!/usr/bin/env bash
# bits.sh BUILD [TESTS]: makes test/support/bits.txt again: runs all tests with the reference, which must agree, then twice
# without it, and keeps what comes out the same both times. TESTS, an expression: only what tests of such names leave, beside
# the other lines as they were.
set -euo pipefail
tree=$1/debug
tests=${2:-}
known=test/support/bits.txt
found=$PWD/$1/bits  # tests run in folders of their own
if [ -n "$tests" ]; then
  scripts/build.sh debug test_support $(ctest --test-dir "$tree" -N -R "$tests" | sed -n 's/^ *Test *#[0-9]*: \([a-z_0-9]*\)$/test_\1/p' | sed 's/^test_golden_.*/golden/')
else
  scripts/build.sh debug
fi
ls "$1"/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0 >/dev/null
(cd "$tree" && SINEW_BITS=/nonexistent ctest -j2 --output-on-failure ${tests:+-R "$tests"})
for time in 1 2; do
  rm -rf "$found/$time"
  mkdir -p "$found/$time"
  (cd "$tree" && SINEW_ORACLE='' SINEW_BITS=$found/$time ctest -j2 --output-on-failure ${tests:+-R "$tests"})
  sort -u "$found/$time"/*.txt >"$found/$time.txt"
done
# keys with several hashes depend on something else
comm -12 "$found/1.txt" "$found/2.txt" | awk '{n[$1]++; line[$1] = $0} END {for (k in n) if (n[k] == 1) print line[k]}' >"$found/new.txt"
if [ -n "$tests" ]; then
  awk 'NR == FNR {new[$1] = 1; next} !($1 in new)' "$found/new.txt" "$known" >"$found/old.txt"
else
  : >"$found/old.txt"
fi
sort "$found/old.txt" "$found/new.txt" >"$known"
echo "bits: $(wc -l <"$known") in $known"
