#!/usr/bin/env bash
# python_tests.sh FOLDER: runs the tests of the Python package that lies in FOLDER, with the Python of `make oracle`, which has the
# reference's package. Exit code 77, which CTest reports as skipped, where that is not there.
set -euo pipefail
python=build/oracle/bin/python
if ! "$python" -c 'import mujoco, pytest, gymnasium' 2>/dev/null; then
  echo "python_tests: no $python with mujoco, pytest and gymnasium: make oracle installs them"
  exit 77
fi
unset LD_LIBRARY_PATH LD_PRELOAD
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(realpath "$1") exec "$python" -m pytest -q -p no:cacheprovider python/tests
