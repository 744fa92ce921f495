#!/usr/bin/env bash
# conform.sh BUILD [LIST|FOLDER|MODEL…]: compares our release library with the reference, field by field, over scenes/ and
# the models named: lists (.txt: a path a line, relative to the list), folders, files. Fails when a model disagrees that
# is not one of the exceptions, and when a part is missing. OPTIONS of the environment go to the program.
set -euo pipefail
build=$1
shift

fail() {
  echo "conform: $*" >&2
  exit 2
}
reference=$(echo "$build"/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0)
library=$build/release/libsinew.so program=$build/release/test/conform/conform
[ -f "$reference" ] || fail "no reference below $build/oracle: run make oracle"
[ -f "$library" ] || fail "no $library: run make build"
[ -x "$program" ] || fail "no $program: run scripts/build.sh release conform"

# what is known to differ, and why
late="kinetic energy sensors show the evaluation before, which the comparison does not carry over"
declare -A exceptions=(
  [bunnies.xml]="chaotic: the reference, its start moved by 1e-12, ends 0.13 away"
  [gripper.xml]="the reference needs longer than the time limit"
  [softbox.xml]="texture indices of solids: the reference reads behind the end of its own"
  [hand.xml]="a moment arm that is zero but for rounding"
  [sensor_bench.xml]="$late"
  [spinning_top.xml]="$late"
  [spring_orbit.xml]="$late"
)

must=() may=()
declare -A left_out=()
add() {
  local name
  name=$(basename "$1")
  if [ "$name" = gripper.xml ]; then
    left_out[$name]=1
  elif [ -n "${exceptions[$name]:-}" ]; then
    may+=("$1")
  else
    must+=("$1")
  fi
}
for scene in scenes/*.xml; do add "$scene"; done
for what in "$@"; do
  if [ -d "$what" ]; then
    while read -r model; do add "$model"; done < <(find "$what" -name '*.xml' | sort)
  elif [[ $what == *.txt ]]; then
    [ -f "$what" ] || fail "no list $what"
    while read -r model; do add "$(dirname "$what")/$model"; done <"$what"
  else
    [ -f "$what" ] || fail "no model $what"
    add "$what"
  fi
done

status=0
read -ra options <<<"${OPTIONS:-}"
"$program" "$reference" "$library" "${options[@]}" "${must[@]}" || status=$?
if [ ${#may[@]} -gt 0 ]; then
  echo
  echo "conform: exceptions, which do not count"
  "$program" "$reference" "$library" "${options[@]}" "${may[@]}" || true
  for model in "${may[@]}"; do echo "  $(basename "$model"): ${exceptions[$(basename "$model")]}"; done
fi
for name in "${!left_out[@]}"; do echo "  $name: left out, ${exceptions[$name]}"; done
exit "$status"
