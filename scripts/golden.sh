#!/usr/bin/env bash
# golden.sh ORACLE [CASE...]: makes test/golden/data again: the program of test/golden linked to the reference writes
# what the reference gives, all cases or those named.
set -euo pipefail
oracle=$1
shift
library=$(echo "$oracle"/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0)
mkdir -p build/golden test/golden/data
# the reference draws while it handles the events of user interfaces
cc -std=gnu17 -O1 -D_GNU_SOURCE -DGOLDEN_DRAWS -Iinclude -Itest -Icli test/golden/*.c test/heap/heap.c test/support/interface.c test/support/glcontext.c \
  cli/support/offscreen.c "$library" -Wl,-rpath,"$(dirname "$library")" -lm -ldl -o build/golden/golden
build/golden/golden --write "$@"
