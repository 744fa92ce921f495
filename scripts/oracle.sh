#!/usr/bin/env bash
# oracle.sh DIR: installs the reference (MuJoCo 3.5.0) into a virtual environment of its own, with what the tests of the Python
# package compare with.
set -euo pipefail
dir=$1
[ -x "$dir/bin/python" ] && "$dir/bin/python" -c 'import mujoco, pytest, gymnasium, imageio; assert mujoco.__version__ == "3.5.0"' 2>/dev/null && exit 0
echo "oracle: installing mujoco==3.5.0 into $dir"
python3 -m venv "$dir"
"$dir/bin/pip" install -q --disable-pip-version-check mujoco==3.5.0 pytest gymnasium imageio
