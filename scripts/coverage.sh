#!/usr/bin/env bash
# coverage.sh BUILD [TEST-PATTERN]: runs the tests (those that match) on a library that counts, and writes a page about the
# lines and branches of src/ that they reach.
set -euo pipefail
build=$1
page=$build/coverage/page
scripts/build.sh coverage
find "$build/coverage" -name '*.gcda' -delete
(cd "$build/coverage" && ctest -j2 --timeout 900 ${2:+-R "$2"} --output-on-failure) || echo "coverage: some tests failed"
mkdir -p "$page"
gcovr --root . --object-directory "$build/coverage" --filter 'src/' --exclude-throw-branches \
  --html-details "$page/index.html" --json-summary "$page/summary.json" --print-summary | grep -E '^(lines|branches)'
echo "coverage: $page/index.html"
