#!/usr/bin/env python3
"""Compiles a few of test/models with the reference to test/golden/mjb/*.mjb; run by `make golden`.

Tests load these binary models so that they do not depend on the reference library."""
import pathlib
import sys

import mujoco

BINARIES = ["assets", "chain", "flex", "pendulum", "shapes"]  # file format tests; flexes have no loader yet
LIMIT = 450_000  # bytes of all files together: they are kept in the repository


def main():
    root = pathlib.Path(__file__).resolve().parent.parent / "test"
    target = root / "golden" / "mjb"
    target.mkdir(parents=True, exist_ok=True)
    if mujoco.__version__ != "3.5.0":
        sys.exit(f"the golden files come from 3.5.0, not {mujoco.__version__}")

    # compile; a file without source is a leftover
    total = 0
    written = set()
    for source in [root / "models" / f"{name}.xml" for name in BINARIES]:
        model = mujoco.MjModel.from_xml_path(str(source))
        path = target / (source.stem + ".mjb")
        mujoco.mj_saveModel(model, str(path))
        written.add(path)
        total += path.stat().st_size
        print(f"{path.name:24}{path.stat().st_size:9} bytes")
    for path in set(target.glob("*.mjb")) - written:
        path.unlink()
    print(f"{'total':24}{total:9} bytes")
    if total > LIMIT:
        sys.exit(f"golden files exceed {LIMIT} bytes")


if __name__ == "__main__":
    main()
