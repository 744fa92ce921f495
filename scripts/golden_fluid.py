#!/usr/bin/env python3
"""Writes test/golden/fluid.txt: fluid forces of the reference on the bodies of test/models/fluid.xml.

One row per state: density, viscosity, wind (3), index of the velocity, then qfrc_fluid of all dofs. Run by `make
golden`; test/force/fluid_test.c reads the file."""
import pathlib

import mujoco

MEDIA = [(1.2, 0, (0, 0, 0)), (0, 1, (0, 0, 0)), (1.2, 0.001, (0, 0, 0)), (1.2, 0, (3, 4, 0)), (0, 0, (1, 0, 0))]

# velocities of every dof in turn, repeated: at rest, along one axis, translation, rotation, everything
VELOCITIES = [(0, 0, 0, 0, 0, 0), (0, 0, -1, 0, 0, 0), (1, 0.5, -1, 0, 0, 0), (0, 0, 0, 10, 5, 3),
              (1.2, -0.7, 0.3, 0.5, -1.1, 0.8)]


def main():
    root = pathlib.Path(__file__).resolve().parent.parent / "test"
    model = mujoco.MjModel.from_xml_path(str(root / "models" / "fluid.xml"))
    data = mujoco.MjData(model)
    with open(root / "golden" / "fluid.txt", "w", encoding="ascii") as out:
        for density, viscosity, wind in MEDIA:
            model.opt.density, model.opt.viscosity, model.opt.wind[:] = density, viscosity, wind
            for index, velocity in enumerate(VELOCITIES):
                data.qvel[:] = [velocity[i % 6] for i in range(model.nv)]
                mujoco.mj_forward(model, data)
                row = [density, viscosity, *wind, index, *data.qfrc_fluid]
                print(*(repr(float(x)) for x in row), file=out)


if __name__ == "__main__":
    main()
