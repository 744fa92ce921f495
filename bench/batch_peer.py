"""The peers of a batch, on request: bench_batch's protocol for the Python packages.

    batch_peer.py rollout|batch MODEL.xml CONTROLS NSTEP NSIM NTHREAD
    batch_peer.py envpool TASK NSTEP NSIM NTHREAD

rollout is mujoco.rollout; batch is mujoco.batch of newer releases. Each line on standard input is one run from the initial
state under the controls of the file, answered by seconds of the processor, seconds of the clock and the first coordinate.
envpool is a task of EnvPool, from random states under random actions; its seconds are those that NSTEP steps of the physics take, of
which a step of the task makes several.
"""
import sys
import time

import numpy as np


def make_rollout(model, control, nthread):
    import mujoco
    from mujoco import rollout

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
        return state[0, -1].sum()

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


def make_envpool(task, nstep, nsim, nthread):
    import envpool  # its own environment has no mujoco

    envs = envpool.make(task, env_type="gymnasium", num_envs=nsim, num_threads=nthread)
    space, skip = envs.action_space, envs.spec.config.frame_skip
    calls = max(1, round(nstep / skip))
    actions = np.random.default_rng(1).uniform(space.low, space.high, (calls, nsim, *space.shape))
    envs.reset()

    def run():
        for row in actions:
            observation = envs.step(row)[0]
        return float(observation.flat[0])

    return run, nstep / (calls * skip)


def make(kind, path, controls, nstep, nsim, nthread):
    import mujoco

    model = mujoco.MjModel.from_xml_path(path)
    control = np.fromfile(controls).reshape(nstep, nsim, model.nu)
    return {"rollout": make_rollout, "batch": make_batch}[kind](model, control, nthread), 1


def main():
    kind, *names = sys.argv[1:-3]
    sizes = map(int, sys.argv[-3:])
    run, scale = make_envpool(*names, *sizes) if kind == "envpool" else make(kind, *names, *sizes)
    for _ in sys.stdin:
        cpu, wall = time.process_time(), time.perf_counter()
        result = run()
        print(f"{scale * (time.process_time() - cpu):.9g} {scale * (time.perf_counter() - wall):.9g} {result:.17g}", flush=True)


main()
