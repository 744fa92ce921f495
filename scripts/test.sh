#!/usr/bin/env bash
# test.sh BUILD: installs the reference where the registry can be reached, builds with asserts, runs all tests and says in
# one line what was left out.
set -uo pipefail
build=$1
tree=$build/debug
log=$tree/Testing/Temporary/LastTest.log

# without a registry this gives up after seconds, and the tests compare with what is stored
PIP_RETRIES=0 PIP_DEFAULT_TIMEOUT=10 scripts/oracle.sh "$build/oracle" >/dev/null 2>&1 || rm -rf "$build/oracle"
scripts/build.sh debug || exit
(cd "$tree" && ctest --output-on-failure -j2)
status=$?

# cases that skip themselves say so; so does each check that lacks the reference
reference=$(grep -c '^left out without the reference' "$log")
cases=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test(s).*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
programs=$(grep -c '^Test Skipped' "$log")
if [ $((reference + cases + programs)) -eq 0 ]; then
  echo "test: nothing was left out"
else
  echo "test: left out: $reference checks that need the reference (make oracle); $cases cases and $programs programs skipped in all"
  sed -n 's/^left out: /test: left out: /p' "$log" | sort -u
fi
exit $status
