"""A pool of batches on a real local Ray: the bits of one batch, also when a worker is killed."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import sinew

ray = pytest.importorskip("ray", reason="ray is not installed: the pool of workers is not tested here (pip install ray)")
import sinew.ray


@pytest.fixture(scope="module")
def pool():
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    paths = os.environ.get("PYTHONPATH", "")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": paths}})
    made = sinew.ray.Pool(sinew.scenes() / "quadruped.xml", workers=2, nsim=8)
    yield made
    made.close()
    ray.shutdown()


def local(controls, **more):
    batch = sinew.Batch(sinew.scenes() / "quadruped.xml", len(controls), 1)
    return batch.rollout(control=controls, record=["qpos", "sensordata"], **more)


def controls(pool, n, nstep):
    return np.random.default_rng(1).uniform(-1, 1, (n, nstep, pool.model.nu))


def same(ours, expected):
    assert set(ours) == set(expected)
    for name in expected:
        assert np.array_equal(ours[name], expected[name]), name


def test_the_bits_of_one_batch(pool):
    given = controls(pool, 30, 20)
    same(pool.rollout(control=given, record=["qpos", "sensordata"]), local(given))
    assert len(set(pool.processes())) == 2


def test_states_and_parameters_travel(pool):
    batch = sinew.Batch(pool.model, 20, 1)
    batch.step(nstep=5)
    state = batch.get_state()
    timesteps = np.linspace(0.001, 0.003, 20)
    batch.expand("opt.timestep")[:] = timesteps
    ours = pool.rollout(nstep=6, state=state, parameters={"opt.timestep": timesteps}, record=["qpos", "time"])
    same(ours, batch.rollout(nstep=6, record=["qpos", "time"]))


def test_a_killed_worker_changes_nothing(pool):
    given = controls(pool, 64, 1500)
    victim = pool.processes()[0]
    killer = threading.Thread(target=lambda: (time.sleep(0.3), os.kill(victim, signal.SIGKILL)))
    killer.start()
    ours = pool.rollout(control=given, record=["qpos", "sensordata"])
    killer.join()
    same(ours, local(given))
    assert victim not in pool.processes()


def test_what_makes_no_sense(pool):
    with pytest.raises(ValueError, match="number of simulations"):
        pool.rollout(nstep=3)
    with pytest.raises(ValueError, match="number of simulations"):
        pool.rollout(control=controls(pool, 3, 2), n=4)
    with pytest.raises(ValueError, match="nstep"):
        pool.rollout(n=3)
    with pytest.raises(ValueError, match="at least one worker"):
        sinew.ray.Pool(pool.model, 0, 1)
    with pytest.raises(TypeError, match="hooks"):
        sinew.ray.Pool(pool.model, 1, 1, hooks={})
    with pytest.raises(ray.exceptions.RayTaskError, match="control has shape"):
        pool.rollout(control=np.zeros((2, 3, 99)))
