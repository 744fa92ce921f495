"""Tasks of dm_control's suite as batches: `gymnasium.make_vec("sinew/dm-cheetah-run-v0", num_envs=1024)`.

Observations are those of dm_control in their order, in one row; rewards, starting states and lengths of episodes are dm_control's. The
models are the ones that the package dm_control carries, which has to be installed, but is not imported.
"""

import importlib.util
import pathlib
from typing import Any

import numpy as np

from sinew.gym.base import VectorEnv

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint
XX, XZ, ZX, ZZ = 0, 2, 6, 8  # elements of a matrix by rows


def gaussian(d: np.ndarray) -> np.ndarray:
    """1 at 0, 0.1 at 1, and on towards 0."""
    return 0.1 ** np.square(d)


def quadratic(d: np.ndarray) -> np.ndarray:
    """1 at 0, 0 from 1 on."""
    return np.maximum(1 - np.square(d), 0)


def linear(at_one: float) -> Any:
    """1 at 0, `at_one` at 1, and on with that slope until it is 0."""
    return lambda d: np.maximum(1 - (1 - at_one) * d, 0)


def tolerance(x: np.ndarray, low: float = 0.0, high: float = 0.0, margin: float = 0.0, fall: Any = gaussian) -> np.ndarray:
    """1 from low to high; outside it falls with the distance in margins, or is 0 at once."""
    outside = np.maximum(np.maximum(low - x, x - high), 0)
    return fall(outside / margin) if margin else np.where(outside > 0, 0.0, 1.0)


class SuiteEnv(VectorEnv):
    """What the tasks share: everything belongs to the state after the step, as in dm_control."""

    def __init__(self, num_envs: int = 1, **common: Any) -> None:
        super().__init__(num_envs, **{"xml_file": _model(self.xml_file), **common})

    def prepare(self) -> None:
        """Fields that observations and rewards read."""
        self.frames, self.places = self.batch.xmat, self.batch.xpos
        if self.model.nsensor:
            self.readings = self.batch.sensordata

    def start(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Joints with limits anywhere within them, hinges and free bodies without limits turned anyhow."""
        qpos = np.tile(self.init_qpos, (n, 1))
        for kind, adr, limited, (low, high) in zip(self.model.jnt_type, self.model.jnt_qposadr, self.model.jnt_limited, self.model.jnt_range):
            if limited:
                qpos[:, adr] = rng.uniform(low, high, n)
            elif kind == HINGE:
                qpos[:, adr] = rng.uniform(-np.pi, np.pi, n)
            elif kind == FREE:
                turn = rng.uniform(0, 1, (n, 4))
                qpos[:, adr + 3 : adr + 7] = turn / np.linalg.norm(turn, axis=1, keepdims=True)
        return qpos, np.zeros((n, self.model.nv))

    def score(self, action: np.ndarray, before: Any) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """Episodes end by their length only."""
        return self.reward(), np.zeros(self.num_envs, bool), {}

    def reward(self) -> np.ndarray:
        """Rewards of all environments, each from 0 to 1."""
        raise NotImplementedError

    def small_control(self) -> np.ndarray:
        """1 without controls, 0.8 with full ones."""
        return (4 + tolerance(self.batch.ctrl, margin=1, fall=quadratic).mean(axis=1)) / 5

    def frame(self, *bodies: str) -> np.ndarray:
        """Orientation of bodies: (num_envs, bodies, 9)."""
        return self.frames[:, [self.model.id("body", body) for body in bodies]].reshape(self.num_envs, len(bodies), 9)

    def sensor(self, name: str) -> np.ndarray:
        """The readings of a sensor."""
        return self.batch.sensor(name).data

    def _simulate(self, moving: np.ndarray | None) -> np.ndarray:
        failed = super()._simulate(moving)
        self.batch.forward(~failed if moving is None else moving & ~failed)
        return failed


class Cartpole(SuiteEnv):
    """A pole on a cart, kept upright or swung up first; sparse: rewarded only near the goal."""

    xml_file, swing_up, sparse = "cartpole.xml", False, False

    def start(self, rng, n):
        if self.swing_up:
            qpos = 0.01 * rng.standard_normal((n, 2)) + (0, np.pi)
        else:
            qpos = rng.uniform((-0.1, -0.034), (0.1, 0.034), (n, 2))
        return qpos, 0.01 * rng.standard_normal((n, 2))

    def observe(self):
        pole = self.frame("pole_1")[:, 0]
        return np.concatenate((self.batch.qpos[:, :1], pole[:, [ZZ, XZ]], self.batch.qvel), axis=1)

    def reward(self):
        cart, upright = self.batch.qpos[:, 0], self.frame("pole_1")[:, 0, ZZ]
        if self.sparse:
            return tolerance(cart, -0.25, 0.25) * tolerance(upright, 0.995, 1)
        centred = (1 + tolerance(cart, margin=2)) / 2
        calm = (1 + tolerance(self.batch.qvel[:, 1], margin=5)) / 2
        return (1 + upright) / 2 * self.small_control() * calm * centred


class Pendulum(SuiteEnv):
    """A pole with a weak motor, swung up and kept there."""

    xml_file = "pendulum.xml"

    def observe(self):
        return np.concatenate((self.frame("pole")[:, 0, [ZZ, XZ]], self.batch.qvel), axis=1)

    def reward(self):
        return tolerance(self.frame("pole")[:, 0, ZZ], np.cos(np.deg2rad(8)), 1)


class Acrobot(SuiteEnv):
    """Two poles, driven at the elbow alone, whose tip reaches up to a target."""

    xml_file, sparse = "acrobot.xml", False

    def prepare(self):
        super().prepare()
        self.sites = self.batch.site_xpos

    def start(self, rng, n):
        return rng.uniform(-np.pi, np.pi, (n, 2)), np.zeros((n, 2))

    def observe(self):
        arms = self.frame("upper_arm", "lower_arm")
        return np.concatenate((arms[:, :, XZ], arms[:, :, ZZ], self.batch.qvel), axis=1)

    def reward(self):
        target, tip = self.model.id("site", "target"), self.model.id("site", "tip")
        distance = np.linalg.norm(self.sites[:, target] - self.sites[:, tip], axis=1)
        return tolerance(distance, 0, self.model.site_size[target, 0], margin=0 if self.sparse else 1)


class Cheetah(SuiteEnv):
    """A planar cheetah that runs at 10 m/s."""

    xml_file = "cheetah.xml"

    def start(self, rng, n):
        limited = self.model.jnt_limited.astype(bool)
        qpos = np.tile(self.init_qpos, (n, 1))
        qpos[:, limited] = rng.uniform(*self.model.jnt_range[limited].T, (n, limited.sum()))
        return qpos, np.zeros((n, self.model.nv))

    def settle(self, which):
        self.batch.step(which, 200)  # it falls to the floor
        self.batch.time[which] = 0
        self.batch.forward(which)

    def observe(self):
        return np.concatenate((self.batch.qpos[:, 1:], self.batch.qvel), axis=1)

    def reward(self):
        return tolerance(self.sensor("torso_subtreelinvel")[:, 0], 10, np.inf, margin=10, fall=linear(0))


class Walker(SuiteEnv):
    """A planar biped that stands, walks at 1 m/s or runs at 8 m/s."""

    xml_file, frame_skip, speed = "walker.xml", 10, 0.0

    def observe(self):
        limbs = self.frames[:, 1:].reshape(self.num_envs, -1, 9)[:, :, [XX, XZ]]
        return np.concatenate((limbs.reshape(self.num_envs, -1), self.batch.body("torso").xpos[:, 2:], self.batch.qvel), axis=1)

    def reward(self):
        standing = tolerance(self.batch.body("torso").xpos[:, 2], 1.2, np.inf, margin=0.6)
        stand = (3 * standing + (1 + self.frame("torso")[:, 0, ZZ]) / 2) / 4
        if not self.speed:
            return stand
        move = tolerance(self.sensor("torso_subtreelinvel")[:, 0], self.speed, np.inf, margin=self.speed / 2, fall=linear(0.5))
        return stand * (5 * move + 1) / 6


class PointMass(SuiteEnv):
    """A point that two tendons move to the middle of a plane."""

    xml_file = "point_mass.xml"

    def prepare(self):
        super().prepare()
        self.geoms = self.batch.geom_xpos

    def observe(self):
        return np.concatenate((self.batch.qpos, self.batch.qvel), axis=1)

    def reward(self):
        target, mass = self.model.id("geom", "target"), self.model.id("geom", "pointmass")
        size = self.model.geom_size[target, 0]
        distance = np.linalg.norm(self.geoms[:, target] - self.geoms[:, mass], axis=1)
        return tolerance(distance, 0, size, margin=size) * self.small_control()


class Humanoid(SuiteEnv):
    """A humanoid that stands, walks at 1 m/s or runs at 10 m/s."""

    xml_file, frame_skip, speed = "humanoid.xml", 5, 0.0

    def prepare(self):
        super().prepare()
        self.contacts = self.batch.ncon

    def settle(self, which):
        while (touching := which & (self.contacts > 0)).any():  # begins in the air, with no limb in another
            self.batch.qpos[touching] = self.start(self.np_random, int(touching.sum()))[0]
            self.batch.forward(touching)

    def observe(self):
        torso = self.frame("torso")[:, 0].reshape(-1, 3, 3)
        limbs = [self.batch.body(f"{side}_{limb}").xpos - self.batch.body("torso").xpos for side in ("left", "right") for limb in ("hand", "foot")]
        return np.concatenate((self.batch.qpos[:, 7:], self.batch.body("head").xpos[:, 2:],
                               np.einsum("nki,nij->nkj", np.stack(limbs, axis=1), torso).reshape(self.num_envs, -1), torso[:, 2],
                               self.sensor("torso_subtreelinvel"), self.batch.qvel), axis=1)

    def reward(self):
        standing = tolerance(self.batch.body("head").xpos[:, 2], 1.4, np.inf, margin=0.35)
        upright = tolerance(self.frame("torso")[:, 0, ZZ], 0.9, np.inf, margin=1.9, fall=linear(0))
        velocity = self.sensor("torso_subtreelinvel")[:, :2]
        if self.speed:
            move = tolerance(np.linalg.norm(velocity, axis=1), self.speed, np.inf, margin=self.speed, fall=linear(0))
            return self.small_control() * standing * upright * (5 * move + 1) / 6
        return self.small_control() * standing * upright * tolerance(velocity, margin=2).mean(axis=1)


# tasks by the names that dm_control gives them
TASKS: dict[str, tuple[type[SuiteEnv], dict[str, Any]]] = {
    "acrobot-swingup": (Acrobot, {}), "acrobot-swingup_sparse": (Acrobot, {"sparse": True}),
    "cartpole-balance": (Cartpole, {}), "cartpole-balance_sparse": (Cartpole, {"sparse": True}),
    "cartpole-swingup": (Cartpole, {"swing_up": True}), "cartpole-swingup_sparse": (Cartpole, {"swing_up": True, "sparse": True}),
    "cheetah-run": (Cheetah, {}), "pendulum-swingup": (Pendulum, {}), "point_mass-easy": (PointMass, {}),
    "humanoid-stand": (Humanoid, {}), "humanoid-walk": (Humanoid, {"speed": 1.0}), "humanoid-run": (Humanoid, {"speed": 10.0}),
    "walker-stand": (Walker, {}), "walker-walk": (Walker, {"speed": 1.0}), "walker-run": (Walker, {"speed": 8.0}),
}


def make(num_envs: int = 1, *, task: str, **common: Any) -> SuiteEnv:
    """One of `TASKS` as a vector environment."""
    kind, settings = TASKS[task]
    return type(kind.__name__, (kind,), settings)(num_envs, **common)


def _model(name: str) -> pathlib.Path:
    """A model of the suite."""
    found = importlib.util.find_spec("dm_control")
    if not found or not found.submodule_search_locations:
        raise ImportError("the models of the suite are in the package dm_control: pip install dm_control")
    return pathlib.Path(found.submodule_search_locations[0]) / "suite" / name
