#!/usr/bin/env bash
# python_tests.sh FOLDER [RUNTIME]: runs the tests of the Python package that lies in FOLDER, with the Python of `make oracle`, which has the
# reference's package, whose allocator looks for what is written beyond a block or after it was freed. RUNTIME is the library of the address
# sanitizer, where the package's library was built with it; memory that the interpreter itself never frees is not looked for. Exit code 77,
# which CTest reports as skipped, where that Python is not there.
set -euo pipefail
python=build/oracle/bin/python
if ! "$python" -c 'import mujoco, pytest, gymnasium' 2>/dev/null; then
  echo "python_tests: no $python with mujoco, pytest and gymnasium: make oracle installs them"
  exit 77
fi
unset LD_LIBRARY_PATH LD_PRELOAD
export PYTHONMALLOC=debug
[ $# -lt 2 ] || export LD_PRELOAD=$2 ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(realpath "$1") exec "$python" -m pytest -q -rs -p no:cacheprovider python/tests
