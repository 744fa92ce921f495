#!/usr/bin/env python3
"""Fluid forces and their velocity derivatives by the reference, on the bodies of test/models/fluid.xml.

test/golden/fluid.txt: one row per state: density, viscosity, wind (3), index of the velocity, then qfrc_fluid of all
dofs; read by test/force/fluid_test.c.
test/golden/fluid_derivative.txt: one row per state and body: integrator, density, viscosity, wind (3), index of the
velocity, body, number of entries, then the rows of qDeriv that belong to the body's dofs; read by
test/derivative/fluid_golden_test.c. Run by `make golden`."""
import pathlib

import mujoco

MEDIA = [(1.2, 0, (0, 0, 0)), (0, 1, (0, 0, 0)), (1.2, 0.001, (0, 0, 0)), (1.2, 0, (3, 4, 0)), (0, 0, (1, 0, 0))]

# velocities of every dof in turn, repeated: at rest, along one axis, translation, rotation, everything
VELOCITIES = [(0, 0, 0, 0, 0, 0), (0, 0, -1, 0, 0, 0), (1, 0.5, -1, 0, 0, 0), (0, 0, 0, 10, 5, 3),
              (1.2, -0.7, 0.3, 0.5, -1.1, 0.8)]


# density, viscosity, wind; the bodies are of both kinds, on every joint, with offsets and in a chain
DERIVATIVE_MEDIA = [(1.2, 0, (0, 0, 0)), (1000, 0.5, (0, 0, 0)), (1.2, 0, (5, 0, 0))]
DERIVATIVE_VELOCITIES = [1, 4]
BODIES = ["box", "ellipsoid", "pair", "mixed", "far", "rotated", "hinge", "ball", "link1", "link2", "link3"]


def write_derivatives(model, out):
    for integrator in (mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST):
        for density, viscosity, wind in DERIVATIVE_MEDIA:
            for index in DERIVATIVE_VELOCITIES:
                model.opt.integrator = integrator
                model.opt.density, model.opt.viscosity, model.opt.wind[:] = density, viscosity, wind
                data = mujoco.MjData(model)
                data.qvel[:] = [VELOCITIES[index][i % 6] for i in range(model.nv)]
                mujoco.mj_forward(model, data)
                mujoco.mj_implicit(model, data)
                for name in BODIES:
                    body = model.body(name)
                    first, last = body.dofadr[0], body.dofadr[0] + body.dofnum[0] - 1
                    entries = data.qDeriv[model.D_rowadr[first]:model.D_rowadr[last] + model.D_rownnz[last]]
                    row = [density, viscosity, *wind]
                    print(int(integrator), *(repr(float(x)) for x in row), index, name, len(entries),
                          *(repr(float(x)) for x in entries), file=out)


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
    with open(root / "golden" / "fluid_derivative.txt", "w", encoding="ascii") as out:
        write_derivatives(model, out)


if __name__ == "__main__":
    main()
