#!/usr/bin/env bash
# fuzz_run.sh SECONDS [WORKERS]: runs all fuzz targets at once for a long time, in the folder that scripts/fuzz_bundle.sh packed.
# Prints executions per target and in total; inputs that were found go, packed, to $OUT (default: out). A target that stopped at a
# finding starts again.
set -uo pipefail
cd "$(dirname "$0")"
seconds=$1
workers=${2:-14}
out=${OUT:-out}
end=$((SECONDS + seconds))
mkdir -p "$out" work/found work/logs
export LD_LIBRARY_PATH=$PWD/lib
# those with much behind them first: they get a second worker when there are more workers than targets
targets="xml step edit urdf state binary obj stl msh skn png ktx hfield shapes shape narrow"

# the layout of address space that old sanitizers expect, where it can be had; leaks only where processes may be traced
keep=""
setarch "$(uname -m)" -R true 2>/dev/null && keep="setarch $(uname -m) -R"
export ASAN_OPTIONS=allocator_may_return_null=1:malloc_context_size=4:quarantine_size_mb=16:detect_leaks=1
if ! $keep ./fuzz_ktx -runs=10 seeds/ktx >work/probe.log 2>&1; then
  export ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=1/detect_leaks=0}
  $keep ./fuzz_ktx -runs=10 seeds/ktx >work/probe.log 2>&1 || { cat work/probe.log; exit 1; }
  echo "fuzz: leaks are not looked for"
fi

# runs one target until the time is over, again after each finding
one() {
  local name=$1 number=$2 seeds="seeds/$1" dict="$1.dict" limit=4096 left
  case $name in
    xml | step) seeds="test/models test/compile/broken" dict=xml.dict ;;
    binary) limit=65536 ;;
    narrow | shapes) limit=256 ;;
    edit) limit=400 ;;
    ktx | hfield | png) limit=300 ;;
    obj | stl | msh | skn) limit=600 ;;
  esac
  [ -d "${seeds%% *}" ] || seeds=""
  [ -f "$dict" ] && dict="-dict=$dict" || dict=""
  mkdir -p "work/corpus/$name"
  while left=$((end - SECONDS)) && [ "$left" -gt 3 ]; do
    # shellcheck disable=SC2086
    $keep ./fuzz_"$name" -max_total_time="$left" -max_len=$limit -timeout=25 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
      -reload=1 -artifact_prefix="work/found/$name-" $dict "work/corpus/$name" $seeds </dev/null >>"work/logs/$name.$number" 2>&1
    [ "$(find work/found -name "$name-*" | wc -l)" -lt 20 ] || break
  done
}

number=0
while [ "$number" -lt "$workers" ]; do
  for name in $targets; do
    [ "$number" -lt "$workers" ] || break
    one "$name" "$number" &
    number=$((number + 1))
  done
done
wait

total=0
for name in $targets; do
  count=$(cat work/logs/"$name".* 2>/dev/null | awk '/stat::number_of_executed_units/ { n += $2 } END { print n + 0 }')
  total=$((total + count))
  printf '%-8s %12d executions, %4d in the corpus, %d findings\n' "$name" "$count" "$(ls work/corpus/"$name" 2>/dev/null | wc -l)" \
    "$(find work/found -name "$name-*" | wc -l)"
done
echo "total    $total executions in $seconds seconds on $workers workers"
grep -h -E '^SUMMARY|ERROR: (libFuzzer|AddressSanitizer)' work/logs/* | sort | uniq -c | sort -rn | head -40
tar czf "$out/found.tar.gz" work/found
tar czf "$out/logs.tar.gz" work/logs
