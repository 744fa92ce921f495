"""The peers of a batch, on request: bench_batch's protocol for the Python packages.

    batch_peer.py rollout|batch MODEL.xml CONTROLS NSTEP NSIM NTHREAD

rollout is mujoco.rollout; batch is mujoco.batch of newer releases. Each line on standard input is one run from the initial
state under the controls of the file, answered by seconds of the processor, seconds of the clock and the first coordinate.
"""
import sys
import time

import mujoco
import numpy as np


def make_rollout(model, control, nthread):
    from mujoco import rollout  # only this peer has it to do

    nstep, nsim = control.shape[:2]
    data = [mujoco.MjData(model) for _ in range(nthread)]
    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
    initial = np.zeros((nsim, mujoco.mj_stateSize(model, spec)))
    for row in initial:
        mujoco.mj_getState(model, data[0], row, spec)
    transposed = np.ascontiguousarray(control.transpose(1, 0, 2)) if model.nu else None
    roller = rollout.Rollout(nthread=nthread if nthread > 1 else 0)

    def run():
        state, _ = roller.rollout(model, data, initial, transposed, nstep=nstep)
        return state[0, -1, 1]

    return run


def make_batch(model, control, nthread):
    from mujoco import batch  # newer releases only

    sims = batch.Batch(model, nsim=control.shape[1], nthread=nthread)
    ctrl, qpos = sims.bind("ctrl"), sims.bind("qpos")

    def run():
        sims.reset(stage=0)
        for row in control:
            ctrl[:] = row
            sims.step()
        return qpos[0, 0]

    return run


def main():
    kind, path, controls, nstep, nsim, nthread = sys.argv[1:]
    model = mujoco.MjModel.from_xml_path(path)
    control = np.fromfile(controls).reshape(int(nstep), int(nsim), model.nu)
    run = {"rollout": make_rollout, "batch": make_batch}[kind](model, control, int(nthread))
    for _ in sys.stdin:
        cpu, wall = time.process_time(), time.perf_counter()
        result = run()
        print(f"{time.process_time() - cpu:.9g} {time.perf_counter() - wall:.9g} {result:.17g}", flush=True)


main()
