"""Environments over tensors: step by step what those over arrays give; on a GPU too, where there is one."""

import ctypes
import math

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
torch = pytest.importorskip("torch", reason="torch is not installed: environments over tensors are not tried (pip install torch)")
from gymnasium.vector import AutoresetMode

import sinew.gym
import sinew.gym.torch as tensors
import test_cuda

NAMES = [name for name in sinew.gym.__all__ if name != "VectorEnv"]


def pair(name, n, **options):
    """Environments over tensors and over arrays, in the same states."""
    ours = tensors.make(f"{name}-v5", n, device="cpu", **options)
    theirs = gymnasium.make_vec(f"sinew/{name}-v5", num_envs=n, **options)
    begin_alike(ours, theirs)
    ours.batch.source.forward()
    return ours, theirs


def begin_alike(ours, theirs):
    """Episodes of both begin, in the same states."""
    ours.reset(seed=1)
    theirs.reset(seed=1)
    for field in ("qpos", "qvel"):
        getattr(ours.batch, field).copy_(torch.from_numpy(getattr(theirs.batch, field)))


def actions_of(envs, rng):
    space = envs.single_action_space
    return rng.uniform(space.low, space.high, envs.action_space.shape).astype(np.float32)


def same(tensor, array, what):
    """What follows from the simulation is the same; costs of controls are sums in the precision of the actions, in an order of their own."""
    assert isinstance(tensor, torch.Tensor), what
    tolerance = 1e-5 if "reward" in what else 1e-12
    np.testing.assert_allclose(tensor.numpy(), array, rtol=tolerance, atol=tolerance, err_msg=what)


@pytest.mark.parametrize("name", NAMES)
def test_step_by_step_as_over_arrays(name):
    ours, theirs = pair(name, 6)
    assert ours.single_observation_space == theirs.single_observation_space and ours.action_space == theirs.action_space
    same(ours.observe(), theirs.observe(), "first observation")
    rng = np.random.default_rng(2)
    for _ in range(8):
        actions = actions_of(theirs, rng)
        got, expected = ours.step(torch.from_numpy(actions)), theirs.step(actions)
        for k, what in enumerate(("observation", "reward", "terminated", "truncated")):
            same(got[k], expected[k], what)
        for key, value in expected[4].items():
            same(got[4][key], value, key)
        if (expected[2] | expected[3]).any():
            break


def fall(envs, index):
    envs.batch.qpos[index, 1] = 0.2


def test_ended_episodes_begin_with_the_next_step():
    envs = tensors.make("Hopper", 4, device="cpu")
    envs.reset(seed=0)
    fall(envs, 2)
    nothing = torch.zeros(4, 3)
    observation, _, terminated, _, _ = envs.step(nothing)
    assert terminated.tolist() == [False, False, True, False] and observation[2, 0] < 0.5
    others = envs.batch.qpos[0].clone()
    observation, reward, terminated, _, info = envs.step(nothing)
    assert not terminated.any() and reward[2] == 0 and observation[2, 0] > 1
    assert info["_x_velocity"].tolist() == [True, True, False, True]
    assert envs.batch.time[2] == 0 and envs.batch.time[0] > 0 and not torch.equal(envs.batch.qpos[0], others)


def test_ended_episodes_begin_in_the_same_step():
    envs = tensors.make("Hopper", 4, device="cpu", autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=0)
    fall(envs, 2)
    observation, _, terminated, _, info = envs.step(torch.zeros(4, 3))
    assert terminated[2] and observation[2, 0] > 1 and info["final_obs"][2, 0] < 0.5
    assert info["_final_obs"].tolist() == [False, False, True, False]


def test_without_automatic_reset_the_caller_decides():
    envs = tensors.make("Hopper", 4, device="cpu", autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=0)
    fall(envs, 2)
    assert envs.step(torch.zeros(4, 3))[2][2] and envs.step(torch.zeros(4, 3))[2][2]
    before = envs.batch.qpos[0].clone()
    observation, _ = envs.reset(options={"reset_mask": torch.tensor([False, False, True, False])})
    assert observation[2, 0] > 1 and torch.equal(envs.batch.qpos[0], before)
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": torch.ones(3, dtype=torch.bool)})


def test_episodes_are_cut():
    envs = tensors.make("Reacher", 2, device="cpu")
    envs.reset(seed=0)
    for t in range(50):
        _, _, terminated, truncated, _ = envs.step(torch.zeros(2, 2))
        assert truncated.all() == (t == 49) and not terminated.any()


def test_an_unstable_simulation_ends_its_episode():
    envs = tensors.make("Hopper", 4, device="cpu")
    envs.reset(seed=0)
    envs.batch.qvel[1, 2] = torch.nan
    _, reward, terminated, _, info = envs.step(torch.zeros(4, 3))
    assert terminated.tolist() == [False, True, False, False] and reward[1] == 0 and info["failed"].tolist() == [False, True, False, False]
    assert torch.isfinite(envs.step(torch.zeros(4, 3))[0]).all()


@pytest.mark.parametrize("name", ["Reacher", "Pusher", "HalfCheetah"])
def test_starting_states_have_the_distribution_of_arrays(name):
    ours, theirs = tensors.make(name, 2000, device="cpu"), gymnasium.make_vec(f"sinew/{name}-v5", num_envs=2000)
    ours.reset(seed=3)
    theirs.reset(seed=3)
    for field in ("qpos", "qvel"):
        got, expected = getattr(ours.batch, field).numpy(), getattr(theirs.batch, field)
        np.testing.assert_allclose(got.mean(axis=0), expected.mean(axis=0), atol=0.02)
        np.testing.assert_allclose(got.std(axis=0), expected.std(axis=0), rtol=0.1, atol=1e-9)
        np.testing.assert_allclose(got.min(axis=0), expected.min(axis=0), rtol=0.3, atol=0.05)


def test_seeds_repeat():
    envs = tensors.make("Hopper", 4, device="cpu")
    first, _ = envs.reset(seed=5)
    second, _ = envs.reset(seed=5)
    third, _ = envs.reset()
    assert torch.equal(first, second) and not torch.equal(second, third)


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="no environment 'Horse-v5'"):
        tensors.make("Horse-v5", 2, device="cpu")
    envs = tensors.make("Hopper", 4, device="cpu")
    with pytest.raises(ValueError, match="actions have shape"):
        envs.step(torch.zeros(4, 2))
    if not torch.cuda.is_available():
        with pytest.raises((ValueError, RuntimeError, AssertionError)):
            tensors.make("Hopper", 4, device="cuda")


def test_an_environment_of_ones_own():
    class Pole(tensors.VectorEnv):
        xml_file = """<mujoco><worldbody><body><joint name="pole" damping=".1"/><geom type="capsule" size=".05 .3" pos="0 0 .3"/></body></worldbody>
                      <actuator><motor joint="pole" ctrlrange="-1 1"/></actuator></mujoco>"""
        frame_skip = 5

        def start(self, rng, n):
            return rng.uniform(-0.1, 0.1, (n, 1)), torch.zeros(n, 1, dtype=self.dtype, device=self.device)

        def observe(self):
            return torch.cat((self.batch.qpos, self.batch.qvel), dim=1)

        def score(self, action, before):
            angle = self.batch.qpos[:, 0]
            return torch.cos(angle), torch.abs(angle) > 1, {}

    envs = Pole(16, device="cpu", max_episode_steps=100)
    observation, _ = envs.reset(seed=0)
    assert observation.shape == (16, 2)
    for _ in range(200):
        observation, reward, terminated, truncated, _ = envs.step(2 * torch.rand(16, 1) - 1)
    assert torch.isfinite(reward).all()


@pytest.mark.parametrize("name", ["HalfCheetah", "Hopper", "Walker2d", "InvertedPendulum"])
def test_a_batch_on_a_device_does_the_same(name, monkeypatch):
    """The library that stands for a GPU has its memory here: everything but PyTorch's way to it is what a GPU runs."""
    if not test_cuda.STANDS_IN:
        pytest.skip("the library that stands for a GPU is not beside the package")

    def look(field):
        seen = field.__cuda_array_interface__
        numbers = (ctypes.c_double * max(1, math.prod(seen["shape"]))).from_address(seen["data"][0])
        return torch.from_numpy(np.ctypeslib.as_array(numbers).reshape(seen["shape"]))

    monkeypatch.setattr(torch, "from_dlpack", look)
    monkeypatch.setattr(tensors.VectorEnv, "_make_batch",
                        lambda self, nthread: tensors._Tensors(sinew.Batch(self.model, self.num_envs, device="cuda", real="float64")))
    ours, theirs = tensors.make(name, 8, device="cpu"), gymnasium.make_vec(f"sinew/{name}-v5", num_envs=8)
    begin_alike(ours, theirs)
    rng = np.random.default_rng(2)
    for t in range(6):
        actions = actions_of(theirs, rng)
        got, expected = ours.step(torch.from_numpy(actions)), theirs.step(actions)
        for k in range(4):
            np.testing.assert_allclose(got[k].numpy(), expected[k], rtol=1e-5, atol=1e-6)
        if (expected[2] | expected[3]).any():
            break
    assert t > 0 and not ours.batch.derived

    # one that fails keeps its state and begins again; the others go on
    ours.reset(seed=2)
    ours.batch.qvel[1, 2 if name != "InvertedPendulum" else 1] = torch.nan
    _, reward, terminated, _, info = ours.step(torch.zeros(ours.action_space.shape))
    assert terminated[1] and info["failed"].tolist() == [i == 1 for i in range(8)] and reward[1] == 0
    observation, _, _, _, info = ours.step(torch.zeros(ours.action_space.shape))
    assert torch.isfinite(observation).all() and not info["failed"].any() and ours.batch.time[1] == 0 and ours.batch.time[0] > 0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU: environments stay on the CPU")
@pytest.mark.parametrize("name", ["HalfCheetah", "Hopper", "Walker2d", "InvertedPendulum"])
def test_on_a_gpu(name):
    try:
        ours = tensors.make(name, 64, device="cuda", real="float64")
    except ValueError as error:
        pytest.skip(f"no batch on a GPU here: {error}")
    theirs = gymnasium.make_vec(f"sinew/{name}-v5", num_envs=64)
    begin_alike(ours, theirs)
    rng = np.random.default_rng(2)
    for _ in range(10):
        actions = actions_of(theirs, rng)
        got, expected = ours.step(torch.from_numpy(actions).cuda()), theirs.step(actions)
        ended = expected[2] | expected[3]
        for k, what in enumerate(("observation", "reward", "terminated", "truncated")):
            assert got[k].device.type == "cuda"
            np.testing.assert_allclose(got[k].cpu().numpy(), expected[k], rtol=1e-6, atol=1e-6, err_msg=what)
        if ended.any():
            break
