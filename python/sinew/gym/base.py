"""What all environments share: a batch, episodes, and the ways in which they begin again."""

import pathlib
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from sinew._batch import Batch, SimulationError, _count
from sinew._model import Model


class VectorEnv(gymnasium.vector.VectorEnv):
    """Environments of one model, all in one batch.

    A subclass names its `xml_file` and `frame_skip` and writes three functions over arrays whose first dimension is the
    environments: `start`, `observe` and `score`; see their descriptions. What they read of the simulation is in
    `self.batch`: `self.batch.qpos`, `self.batch.body("torso").xpos` and so on.

    A simulation that becomes unstable ends its episode: it is terminated with reward 0 and `info["failed"]`.
    """

    xml_file: Any = None
    frame_skip = 1
    xp: Any = np  # the functions over arrays that environments use: NumPy's, or PyTorch's under the same names (sinew.gym.torch)

    def __init__(self, num_envs: int = 1, *, xml_file: Any = None, frame_skip: int | None = None, max_episode_steps: int | None = None,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, nthread: int = 0) -> None:
        self.num_envs = _count(num_envs, "num_envs", 1)
        self.frame_skip = _count(self.frame_skip if frame_skip is None else frame_skip, "frame_skip", 1)
        self.max_episode_steps = None if max_episode_steps is None else _count(max_episode_steps, "max_episode_steps", 1)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.render_mode = None
        if xml_file is None and self.xml_file is None:
            raise TypeError(f"{type(self).__name__} has no model: the class names its xml_file, or it is an argument")
        self.model = Model(_find(xml_file if xml_file is not None else self.xml_file))
        self.batch = self._make_batch(nthread)
        self.dt = self.frame_skip * float(self.model.field("opt.timestep"))
        self.init_qpos, self.init_qvel = self.xp.copy(self.batch.qpos[0]), self.xp.copy(self.batch.qvel[0])
        self._steps, self._ended = self._counts()
        self.prepare()

        size = self._sized(self.observe(), "observe", 2).shape[1]
        low, high = self.model.actuator_ctrlrange.T.astype(np.float32)
        self.single_action_space = spaces.Box(low, high, dtype=np.float32)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (size,), np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    # ------------------------------------------------------------ what a subclass writes

    def prepare(self) -> None:
        """Called once, before anything is simulated: asks the batch for the fields that are read later."""

    def start(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities in which n episodes begin: (n, nq) and (n, nv)."""
        raise NotImplementedError(f"{type(self).__name__} writes start(rng, n): positions and velocities in which episodes begin")

    def settle(self, which: np.ndarray) -> None:
        """What else happens to the environments of a mask before their first observation; nothing, unless it is overridden."""

    def observe(self) -> np.ndarray:
        """Observations of all environments: (num_envs, size), a new array."""
        raise NotImplementedError(f"{type(self).__name__} writes observe(): observations of all environments")

    def before(self) -> Any:
        """What `score` wants to know of the moment before the step."""
        return None

    def score(self, action: np.ndarray, before: Any) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """Rewards, terminations and infos of a step that has been made, each over all environments."""
        raise NotImplementedError(f"{type(self).__name__} writes score(action, before): rewards, terminations and infos")

    def start_info(self) -> dict[str, np.ndarray]:
        """Infos of environments that have just begun."""
        return {}

    # ------------------------------------------------------------ the interface

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Begins episodes: of all environments, or of those in `options["reset_mask"]`."""
        if seed is not None and not isinstance(seed, (int, np.integer)):
            raise ValueError(f"one seed serves all environments: a number, not {type(seed).__name__}")
        super().reset(seed=None if seed is None else int(seed))
        which = np.ones(self.num_envs, bool)
        if options is not None and not isinstance(options, dict):
            raise TypeError(f"options are a dictionary, not {type(options).__name__}")
        if options and options.get("reset_mask") is not None:
            which = np.asarray(options["reset_mask"])
            if which.shape != (self.num_envs,) or which.dtype != bool:
                raise ValueError(f"reset_mask is a mask of {self.num_envs} environments, not {which.dtype} of shape {which.shape}")
        self._begin(which)
        return self.observe(), _info(self.start_info(), which)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """One step of every environment; those that ended in the step before begin again instead (mode NEXT_STEP)."""
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions have shape {self.action_space.shape}, not {actions.shape}")
        if actions.dtype.kind not in "biuf":
            raise TypeError(f"actions are made of numbers, not of {actions.dtype}")
        waiting = self._ended.copy() if self.autoreset_mode == AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, bool)
        moving = ~waiting
        memory = self.before()
        self.batch.ctrl[:] = actions
        failed = self._simulate(moving if waiting.any() else None)
        self._steps[moving] += 1

        reward, terminated, info = self.score(actions, memory)
        self._sized(reward, "score, rewards,", 1)
        terminated = (self._sized(terminated, "score, terminations,", 1) | failed) & moving
        truncated = moving & (self._steps >= (self.max_episode_steps or np.inf))
        reward = np.where(moving & ~failed, reward, 0.0)
        self._ended = terminated | truncated
        infos = _info(info, moving)
        if failed.any():
            infos.update(_info({"failed": failed}, failed))
        if waiting.any():
            self._begin(waiting)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            infos = self._begin_at_once(infos)
        return self.observe(), reward, terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing to do: the batch goes with the last array over it."""

    # ------------------------------------------------------------ for subclasses

    def contact_forces(self) -> np.ndarray:
        """`cfrc_ext`: forces and torques on bodies in the last step; zero where an episode has just begun, as in Gymnasium."""
        return self.xp.where((self._steps > 0)[:, None, None], self.batch.cfrc_ext, 0.0)

    def nobody(self) -> np.ndarray:
        """A mask of no environment."""
        return self._counts()[1]

    def draw(self, n: int, one_try: Any, fits: Any) -> np.ndarray:
        """n values that fit: `one_try(k)` draws k of them, `fits` says which are good, and the others are drawn again."""
        values = one_try(n)
        while not (good := fits(values)).all():
            values[~good] = one_try(int((~good).sum()))
        return values

    # ------------------------------------------------------------ how

    def _make_batch(self, nthread: int) -> Any:
        return Batch(self.model, self.num_envs, nthread)

    def _sized(self, values: Any, what: str, ndim: int) -> Any:
        """Refuses what a subclass returned where it is not over all environments."""
        shape = tuple(values.shape) if hasattr(values, "shape") else np.shape(values)
        if len(shape) != ndim or shape[0] != self.num_envs:
            raise ValueError(f"{type(self).__name__}.{what} has shape ({self.num_envs},{' size' if ndim > 1 else ''}), not {shape}")
        return values

    def _counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Steps of the present episodes, and which of them have ended."""
        return np.zeros(self.num_envs, int), np.zeros(self.num_envs, bool)

    def _simulate(self, moving: np.ndarray | None) -> np.ndarray:
        """Steps; which of the simulations failed."""
        failed = np.zeros(self.num_envs, bool)
        try:
            self.batch.step(moving, self.frame_skip)
        except SimulationError as error:
            failed[error.ids] = True
        return failed

    def _begin(self, which: np.ndarray) -> None:
        """Puts the environments of a mask into a starting state, with everything that follows from it."""
        self.batch.reset(which, stage=0)
        qpos, qvel = self.start(self.np_random, int(which.sum()))
        self.batch.qpos[which], self.batch.qvel[which] = qpos, qvel
        self.batch.forward(which)
        self.settle(which)
        self._steps[which] = 0
        self._ended[which] = False

    def _begin_at_once(self, infos: dict) -> dict:
        """Mode SAME_STEP: the last observation and infos of ended episodes are kept aside, then they begin again."""
        ended = self._ended.copy()
        final = np.full(self.num_envs, None, dtype=object)
        observations = self.observe()
        for i in np.flatnonzero(ended):
            final[i] = observations[i]
        self._begin(ended)
        return {**infos, "final_obs": final, "_final_obs": ended, "final_info": infos, "_final_info": ended}


def _info(values: dict[str, np.ndarray], which: np.ndarray) -> dict:
    """Infos as vector environments give them: an array, and a mask of where it counts."""
    return {key: entry for name, value in values.items() for key, entry in ((name, value), ("_" + name, which.copy()))}


def _find(xml_file: Any) -> Any:
    """A path, or the name of one of the models that Gymnasium carries."""
    if isinstance(xml_file, str) and "<" not in xml_file and not pathlib.Path(xml_file).exists():
        carried = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / xml_file
        if carried.exists():
            return carried
    return xml_file
