"""Vector environments: step by step what Gymnasium's own give."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.vector import AutoresetMode

import sinew.gym

NAMES = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher", "Reacher",
         "Swimmer", "Walker2d"]


def put(envs, index, qpos, qvel):
    """Gives one environment of ours the state of one of theirs."""
    envs.batch.qpos[index], envs.batch.qvel[index] = qpos, qvel
    envs.batch.forward([index])


def same_infos(theirs, ours, index):
    for key, value in theirs.items():
        np.testing.assert_allclose(ours[key][index], value, rtol=1e-6, atol=1e-7, err_msg=key)


@pytest.mark.parametrize("name", NAMES)
def test_step_by_step_as_gymnasium(name):
    envs = gymnasium.make_vec(f"sinew/{name}-v5", num_envs=3)
    single = gymnasium.make(f"{name}-v5")
    assert envs.single_action_space == single.action_space
    assert envs.single_observation_space == single.observation_space
    envs.reset(seed=1)
    expected, info = single.reset(seed=7)
    put(envs, 1, single.unwrapped.data.qpos, single.unwrapped.data.qvel)
    np.testing.assert_allclose(envs.observe()[1], expected, rtol=1e-9, atol=1e-9)
    same_infos(info, sinew.gym.base._info(envs.start_info(), np.ones(3, bool)), 1)
    rng = np.random.default_rng(2)
    low, high = single.action_space.low, single.action_space.high
    for _ in range(12):
        actions = rng.uniform(low, high, (3, *low.shape)).astype(np.float32)
        observation, reward, terminated, truncated, info = envs.step(actions)
        theirs = single.step(actions[1])
        np.testing.assert_allclose(observation[1], theirs[0], rtol=1e-5, atol=1e-6)
        assert reward[1] == pytest.approx(theirs[1], rel=1e-6, abs=1e-7)
        assert (terminated[1], truncated[1]) == theirs[2:4]
        same_infos(theirs[4], info, 1)
        if terminated[1]:
            break


@pytest.mark.parametrize("name", NAMES)
def test_starting_states_have_gymnasiums_distribution(name):
    envs = gymnasium.make_vec(f"sinew/{name}-v5", num_envs=2000)
    envs.reset(seed=3)
    single = gymnasium.make(f"{name}-v5")
    theirs = []
    for seed in range(200):
        single.reset(seed=seed)
        theirs.append(np.concatenate((single.unwrapped.data.qpos, single.unwrapped.data.qvel)))
    theirs = np.array(theirs)
    ours = np.concatenate((envs.batch.qpos, envs.batch.qvel), axis=1)
    np.testing.assert_allclose(ours.mean(axis=0), theirs.mean(axis=0), atol=0.03)
    np.testing.assert_allclose(ours.std(axis=0), theirs.std(axis=0), rtol=0.35, atol=1e-9)


def hoppers(mode, n=4):
    return gymnasium.make_vec("sinew/Hopper-v5", num_envs=n, autoreset_mode=mode)


def fall(envs, index):
    envs.batch.qpos[index, 1] = 0.2


def test_ended_episodes_begin_with_the_next_step():
    envs = hoppers(AutoresetMode.NEXT_STEP)
    envs.reset(seed=0)
    fall(envs, 2)
    nothing = np.zeros((4, 3), np.float32)
    observation, _, terminated, _, _ = envs.step(nothing)
    assert terminated.tolist() == [False, False, True, False]
    assert observation[2, 0] < 0.5
    observation, reward, terminated, _, info = envs.step(nothing)
    assert not terminated.any() and reward[2] == 0 and observation[2, 0] > 1
    assert info["_x_velocity"].tolist() == [True, True, False, True]
    assert envs.batch.time[2] == 0


def test_ended_episodes_begin_in_the_same_step():
    envs = hoppers(AutoresetMode.SAME_STEP)
    envs.reset(seed=0)
    fall(envs, 2)
    observation, reward, terminated, _, info = envs.step(np.zeros((4, 3), np.float32))
    assert terminated[2] and observation[2, 0] > 1 and info["final_obs"][2][0] < 0.5
    assert info["_final_obs"].tolist() == [False, False, True, False]


def test_without_automatic_reset_the_caller_decides():
    envs = hoppers(AutoresetMode.DISABLED)
    envs.reset(seed=0)
    fall(envs, 2)
    nothing = np.zeros((4, 3), np.float32)
    assert envs.step(nothing)[2][2] and envs.step(nothing)[2][2]
    before = envs.batch.qpos[0].copy()
    observation, _ = envs.reset(options={"reset_mask": np.array([False, False, True, False])})
    assert observation[2, 0] > 1 and np.array_equal(envs.batch.qpos[0], before)
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": [1, 0]})


def test_episodes_are_cut():
    envs = gymnasium.make_vec("sinew/Reacher-v5", num_envs=2)
    envs.reset(seed=0)
    for t in range(50):
        _, _, terminated, truncated, _ = envs.step(np.zeros((2, 2), np.float32))
        assert truncated.all() == (t == 49) and not terminated.any()


def test_seeds_repeat():
    envs = hoppers(AutoresetMode.NEXT_STEP)
    first, _ = envs.reset(seed=5)
    second, _ = envs.reset(seed=5)
    third, _ = envs.reset()
    assert np.array_equal(first, second) and not np.array_equal(second, third)
    assert np.array_equal(envs.reset(seed=np.int64(5))[0], first)
    with pytest.raises(ValueError, match="one seed"):
        envs.reset(seed=[1, 2, 3, 4])


def test_an_unstable_simulation_ends_its_episode():
    envs = hoppers(AutoresetMode.NEXT_STEP)
    envs.reset(seed=0)
    envs.batch.qvel[1, 2] = np.nan
    _, reward, terminated, _, info = envs.step(np.zeros((4, 3), np.float32))
    assert terminated.tolist() == [False, True, False, False] and reward[1] == 0 and info["failed"][1]
    observation, _, _, _, _ = envs.step(np.zeros((4, 3), np.float32))
    assert np.isfinite(observation).all()


def test_actions_of_another_shape_are_refused():
    envs = hoppers(AutoresetMode.NEXT_STEP)
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="actions have shape"):
        envs.step(np.zeros((4, 2)))
    for wrong in (np.zeros((4, 3), complex), np.full((4, 3), "a"), np.full((4, 3), None)):
        with pytest.raises(TypeError, match="actions are made of numbers"):
            envs.step(wrong)


@pytest.mark.parametrize("name", ["sinew/Hopper-v5", "sinew/dm-walker-run-v0"])
def test_one_alone_is_a_vector_of_one(name):
    with pytest.raises(TypeError, match="gymnasium.make_vec"):
        gymnasium.make(name)


def test_an_environment_of_ones_own():
    class Pole(sinew.gym.VectorEnv):
        xml_file = """<mujoco><worldbody><body><joint name="pole" damping=".1"/><geom type="capsule" size=".05 .3" pos="0 0 .3"/></body></worldbody>
                      <actuator><motor joint="pole" ctrlrange="-1 1"/></actuator></mujoco>"""
        frame_skip = 5

        def start(self, rng, n):
            return rng.uniform(-0.1, 0.1, (n, 1)), np.zeros((n, 1))

        def observe(self):
            return np.concatenate((self.batch.qpos, self.batch.qvel), axis=1)

        def score(self, action, before):
            angle = self.batch.qpos[:, 0]
            return np.cos(angle), np.abs(angle) > 1, {}

    envs = Pole(16, max_episode_steps=100)
    observation, _ = envs.reset(seed=0)
    assert observation.shape == (16, 2)
    for _ in range(200):
        observation, reward, terminated, truncated, _ = envs.step(envs.action_space.sample())
    assert np.isfinite(reward).all()


@pytest.mark.parametrize("arguments, message", [
    ({"num_envs": 0}, "num_envs"), ({"frame_skip": 0}, "frame_skip"), ({"frame_skip": 1.5}, "frame_skip"), ({"max_episode_steps": 0}, "max_episode_steps"),
])
def test_numbers_that_make_no_environment(arguments, message):
    with pytest.raises(ValueError, match=f"{message} is a whole number"):
        sinew.gym.Hopper(**{"num_envs": 2, **arguments})


def test_what_a_subclass_leaves_out_or_gets_wrong_is_named():
    class Empty(sinew.gym.VectorEnv):
        pass

    class Half(sinew.gym.VectorEnv):
        xml_file = "hopper.xml"

        def observe(self):
            return np.zeros((self.num_envs, 3))

        def start(self, rng, n):
            return np.zeros((n, self.model.nq)), np.zeros((n, self.model.nv))

    class Flat(Half):
        def observe(self):
            return np.zeros(3)

    class Short(Half):
        def score(self, action, before):
            return np.zeros(2), np.zeros(3, bool), {}

    with pytest.raises(TypeError, match="Empty has no model"):
        Empty(3)
    with pytest.raises(ValueError, match=r"Flat.observe has shape \(3, size\), not \(3,\)"):
        Flat(3)
    for kind, error, message in ((Half, NotImplementedError, "Half writes score"), (Short, ValueError, r"Short.score, rewards, has shape \(3,\), not \(2,\)")):
        envs = kind(3)
        envs.reset()
        with pytest.raises(error, match=message):
            envs.step(envs.action_space.sample())
