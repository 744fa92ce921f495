#!/usr/bin/env bash
# wheel.sh BUILD: builds the Python package as BUILD/dist/sinew-*.whl and tests it, installed in a virtual environment of its own.
set -euo pipefail
build=$1
tools=$build/wheel-tools fresh=$build/wheel-venv

[ -x "$tools/bin/pyproject-build" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install -q --disable-pip-version-check build; }
rm -rf "$build/dist" "$fresh"
"$tools/bin/pyproject-build" --wheel --outdir "$build/dist" . >"$build/wheel.log" 2>&1 || { tail -n 30 "$build/wheel.log"; exit 1; }

# the tests find the installed package, not the folder it was made from
python3 -m venv "$fresh"
"$fresh/bin/pip" install -q --disable-pip-version-check "$build"/dist/sinew-*.whl mujoco==3.5.0 pytest gymnasium imageio
PYTHONDONTWRITEBYTECODE=1 "$fresh/bin/python" -m pytest -q -p no:cacheprovider python/tests
ls "$build"/dist/sinew-*.whl
