"""Gymnasium's MuJoCo environments under Gymnasium's own checker, for scripts/python_peers.py: its tests are in no package."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match

NAMES = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher", "Reacher",
         "Swimmer", "Walker2d"]


@pytest.mark.parametrize("frame_skip", [1, 3, 5])
@pytest.mark.parametrize("name", NAMES)
def test_checker(name, frame_skip):
    env = gymnasium.make(f"{name}-v5", frame_skip=frame_skip).unwrapped
    with warnings.catch_warnings(record=True) as caught:
        check_env(env, skip_render_check=True)
    assert all("Box" in str(warning.message) for warning in caught)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_episode(name):
    check_environments_match(gymnasium.make(f"{name}-v5"), gymnasium.make(f"{name}-v5"), num_steps=200, info_comparison="equivalence")


@pytest.mark.parametrize("name", ["HalfCheetah", "Swimmer"])
def test_versions_that_are_alike_give_the_same_bits(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_environments_match(gymnasium.make(f"{name}-v4"), gymnasium.make(f"{name}-v5"), num_steps=200, info_comparison="skip")


@pytest.mark.parametrize("name", NAMES)
def test_rewards_are_the_sum_of_their_parts(name):
    env = gymnasium.make(f"{name}-v5")
    env.reset(seed=3)
    for _ in range(50):
        _, reward, terminated, _, info = env.step(env.action_space.sample())
        parts = sum(value for key, value in info.items() if key.startswith("reward_") or key.endswith("_penalty"))
        assert reward == pytest.approx(parts + (name == "HumanoidStandup"), rel=1e-12)
        if terminated:
            env.reset()


@pytest.mark.parametrize("name", NAMES)
def test_states_can_be_set(name):
    env = gymnasium.make(f"{name}-v5").unwrapped
    env.reset(seed=0)
    qpos, qvel = env.data.qpos + 0.01, env.data.qvel + 0.02
    env.set_state(qpos, qvel)
    assert np.array_equal(env.data.qpos, qpos) and np.array_equal(env.data.qvel, qvel)


@pytest.mark.parametrize("mode", ["rgb_array", "depth_array"])
@pytest.mark.parametrize("name", NAMES)
def test_pictures(name, mode):
    env = gymnasium.make(f"{name}-v5", render_mode=mode, width=64, height=48)
    env.reset(seed=0)
    picture = env.render()
    assert picture.shape[:2] == (48, 64) and np.ptp(picture) > 0
    env.close()
