#!/usr/bin/env bash
# Builds every libFuzzer target and runs each for SECONDS_EACH seconds from its seed corpus.
set -euo pipefail
scripts/build.sh fuzz fuzzers
for target in build/fuzz/test/fuzz/fuzz_*; do
  [ -x "$target" ] || continue
  name=$(basename "$target")
  mkdir -p "build/fuzz/corpus/$name"
  seeds="test/fuzz/seeds/${name#fuzz_}"
  dictionary="test/fuzz/${name#fuzz_}.dict"
  case $name in
    fuzz_xml | fuzz_step) seeds="test/models test/compile/broken test/fuzz/seeds/physics" dictionary=test/fuzz/xml.dict ;;
  esac
  echo "fuzz: $name"
  "$target" -max_total_time="${SECONDS_EACH:-10}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
    -artifact_prefix="build/fuzz/" $( [ -f "$dictionary" ] && echo "-dict=$dictionary" ) "build/fuzz/corpus/$name" \
    $( [ -d "${seeds%% *}" ] && echo "$seeds" )
done
