#!/usr/bin/env python3
"""Ten steps of test/models/flags.xml under every disable and enable flag, by the reference; run by `make golden`.

Writes test/golden/flags.bin: for each of the 1 + 19 + 6 settings (none, then each flag alone) ten times qacc, as
little-endian doubles. The test repeats the steps and compares."""
import pathlib

import mujoco
import numpy as np

NDISABLE, NENABLE, STEPS = 19, 6, 10


def trajectory(model, disable, enable):
    model.opt.disableflags = disable
    model.opt.enableflags = enable
    data = mujoco.MjData(model)
    data.ctrl[:] = [0.5, 0.4, 1.0]
    data.qvel[:] = 0.1 * np.sin(np.arange(1, model.nv + 1))
    out = []
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
        out.append(data.qacc.copy())
    return np.concatenate(out)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent / "test"
    model = mujoco.MjModel.from_xml_path(str(root / "models/flags.xml"))
    settings = [(0, 0)] + [(1 << i, 0) for i in range(NDISABLE)] + [(0, 1 << i) for i in range(NENABLE)]
    rows = [trajectory(model, disable, enable) for disable, enable in settings]
    same = [i for i in range(1, len(rows)) if np.array_equal(rows[i], rows[0])]
    print("flags that change nothing in this scene:", same)
    np.concatenate(rows).astype("<f8").tofile(root / "golden/flags.bin")


main()
