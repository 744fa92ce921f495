"""Tasks of dm_control's suite: step by step what dm_control gives."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
import sinew.gym
from sinew.gym.suite import TASKS, gaussian, linear, quadratic, tolerance


def test_tolerances():
    x = np.array([-3.0, -1, 0, 0.5, 1, 2])
    assert tolerance(x, 0, 1).tolist() == [0, 0, 1, 1, 1, 0]
    assert tolerance(x, 0, 1, margin=2) == pytest.approx([0.1 ** 2.25, 0.1 ** 0.25, 1, 1, 1, 0.1 ** 0.25])
    assert tolerance(x, 0, 1, margin=1, fall=linear(0.5)) == pytest.approx([0, 0.5, 1, 1, 1, 0.5])
    assert tolerance(x, 0, 1, margin=2, fall=quadratic) == pytest.approx([0, 0.75, 1, 1, 1, 0.75])
    assert gaussian(np.array(1.0)) == pytest.approx(0.1)


def test_without_dm_control_its_name_is_said():
    if sinew.gym.suite.importlib.util.find_spec("dm_control"):
        pytest.skip("dm_control is installed here")
    with pytest.raises(ImportError, match="pip install dm_control"):
        gymnasium.make_vec("sinew/dm-cheetah-run-v0", num_envs=2)


@pytest.fixture(scope="module")
def suite():
    return pytest.importorskip("dm_control.suite", reason="dm_control is not installed: its tasks are not compared here (pip install dm_control)")


def row(observation):
    return np.concatenate([np.ravel(part) for part in observation.values()])


@pytest.mark.parametrize("name", TASKS)
def test_step_by_step_as_dm_control(name, suite):
    envs = gymnasium.make_vec(f"sinew/dm-{name}-v0", num_envs=3, nthread=1)
    theirs = suite.load(*name.split("-"), task_kwargs={"random": 4})
    first = theirs.reset()
    envs.reset(seed=1)
    data, batch = theirs.physics.data, envs.batch
    batch.qpos[1], batch.qvel[1], batch.qacc_warmstart[1] = data.qpos, data.qvel, data.qacc_warmstart
    batch.forward([1])
    np.testing.assert_allclose(envs.observe()[1], row(first.observation), rtol=1e-9, atol=1e-9)
    spec = theirs.action_spec()
    np.testing.assert_allclose(envs.single_action_space.low, spec.minimum)
    rng = np.random.default_rng(2)
    for _ in range(15):
        actions = rng.uniform(spec.minimum, spec.maximum, (3, *spec.shape)).astype(np.float32)
        observation, reward, terminated, truncated, _ = envs.step(actions)
        expected = theirs.step(actions[1])
        np.testing.assert_allclose(observation[1], row(expected.observation), rtol=1e-5, atol=1e-6)
        assert reward[1] == pytest.approx(expected.reward, rel=1e-6, abs=1e-7)
        assert not terminated[1] and not truncated[1]


@pytest.mark.parametrize("name", ["acrobot-swingup", "cartpole-balance", "cartpole-swingup", "pendulum-swingup", "point_mass-easy", "walker-walk", "cheetah-run"])
def test_starting_states_have_dm_controls_distribution(name, suite):
    envs = gymnasium.make_vec(f"sinew/dm-{name}-v0", num_envs=1000)
    envs.reset(seed=3)
    theirs, states = suite.load(*name.split("-"), task_kwargs={"random": 4}), []
    for _ in range(100):
        theirs.reset()
        states.append(np.concatenate((theirs.physics.data.qpos, theirs.physics.data.qvel)))
    ours = np.concatenate((envs.batch.qpos, envs.batch.qvel), axis=1)
    deviation = np.std(states, axis=0)
    np.testing.assert_allclose(ours.mean(axis=0), np.mean(states, axis=0), atol=0.45 * deviation.max() + 1e-9)
    np.testing.assert_allclose(ours.std(axis=0), deviation, rtol=0.4, atol=0.02)


def test_humanoids_begin_without_contacts(suite):
    envs = gymnasium.make_vec("sinew/dm-humanoid-run-v0", num_envs=50)
    observation, _ = envs.reset(seed=0)
    assert (envs.contacts == 0).all() and np.isfinite(observation).all()
    for _ in range(3):
        observation, reward, _, _, _ = envs.step(envs.action_space.sample())
    assert ((0 <= reward) & (reward <= 1)).all()
