#!/usr/bin/env bash
# conform.sh BUILD SHARED [options]: runs the comparison program over our scenes and the models that lie beside the
# project. Fails when a model disagrees that is not one of the exceptions.
set -euo pipefail
build=$1 shared=$2
shift 2
if [ ! -f "$shared/conform/conform.c" ]; then
  echo "conform: no comparison program at $shared/conform, nothing to do"
  exit 0
fi

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
add() {
  local name
  name=$(basename "$1")
  if [ -n "${exceptions[$name]:-}" ]; then
    [ "$name" = gripper.xml ] || may+=("$1")
  else
    must+=("$1")
  fi
}
for scene in scenes/*.xml; do add "$scene"; done
for list in rigid flex; do
  [ -f "$shared/models/$list.txt" ] || continue
  while read -r model; do add "$shared/models/$model"; done <"$shared/models/$list.txt"
done

reference=$(echo "$build"/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0)
cc -O2 -Iinclude "$shared/conform/conform.c" -o "$build/conform" -ldl -lm
status=0
"$build/conform" "$reference" "$build/release/libsinew.so" "$@" "${must[@]}" || status=$?
echo
echo "conform: exceptions, which do not count"
"$build/conform" "$reference" "$build/release/libsinew.so" "$@" "${may[@]}" || true
for name in "${!exceptions[@]}"; do echo "  $name: ${exceptions[$name]}"; done | sort
exit "$status"
