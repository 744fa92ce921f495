"""Pendulums and arms: Gymnasium's InvertedPendulum, InvertedDoublePendulum, Reacher and Pusher, version 5."""

from typing import Any

import numpy as np

from sinew.gym.base import VectorEnv


class InvertedPendulum(VectorEnv):
    """A cart that keeps a pole upright."""

    xml_file, frame_skip = "inverted_pendulum.xml", 2

    def __init__(self, num_envs: int = 1, *, reset_noise_scale: float = 0.01, **common: Any) -> None:
        self.noise = reset_noise_scale
        super().__init__(num_envs, **common)

    def start(self, rng, n):
        return (self.init_qpos + rng.uniform(-self.noise, self.noise, (n, self.model.nq)),
                self.init_qvel + rng.uniform(-self.noise, self.noise, (n, self.model.nv)))

    def observe(self):
        return self.xp.concatenate((self.batch.qpos, self.batch.qvel), axis=1)

    def score(self, action, before):
        state = self.observe()
        fallen = ~self.xp.isfinite(state).all(axis=1) | (self.xp.abs(state[:, 1]) > 0.2)
        reward = self.xp.where(fallen, 0.0, 1.0)
        return reward, fallen, {"reward_survive": reward}


class InvertedDoublePendulum(VectorEnv):
    """A cart that keeps two poles upright, one on top of the other."""

    xml_file, frame_skip = "inverted_double_pendulum.xml", 5

    def __init__(self, num_envs: int = 1, *, healthy_reward: float = 10.0, reset_noise_scale: float = 0.1, **common: Any) -> None:
        self.healthy_reward, self.noise = healthy_reward, reset_noise_scale
        super().__init__(num_envs, **common)

    def prepare(self):
        self.tip, self.force = self.batch.site_xpos[:, 0], self.batch.qfrc_constraint

    def start(self, rng, n):
        return (self.init_qpos + rng.uniform(-self.noise, self.noise, (n, self.model.nq)),
                self.init_qvel + self.noise * rng.standard_normal((n, self.model.nv)))

    def observe(self):
        angles = self.batch.qpos[:, 1:]
        return self.xp.concatenate((self.batch.qpos[:, :1], self.xp.sin(angles), self.xp.cos(angles), self.xp.clip(self.batch.qvel, -10, 10),
                               self.xp.clip(self.force[:, :1], -10, 10)), axis=1)

    def score(self, action, before):
        x, y = self.tip[:, 0], self.tip[:, 2]
        fallen = y <= 1
        distance = 0.01 * x**2 + (y - 2) ** 2
        speed = 1e-3 * self.batch.qvel[:, 1] ** 2 + 5e-3 * self.batch.qvel[:, 2] ** 2
        alive = self.healthy_reward * ~fallen
        return alive - distance - speed, fallen, {"reward_survive": alive, "distance_penalty": -distance, "velocity_penalty": -speed}


class _Reaching(VectorEnv):
    """An arm with bodies that it has to bring together: distances between named bodies, and what the controls cost."""

    def between(self, a: str, b: str) -> np.ndarray:
        return self.batch.body(a).xpos - self.batch.body(b).xpos


class Reacher(_Reaching):
    """An arm of two links whose tip goes to a target in the plane."""

    xml_file, frame_skip = "reacher.xml", 2

    def __init__(self, num_envs: int = 1, *, reward_dist_weight: float = 1, reward_control_weight: float = 1, **common: Any) -> None:
        self.dist_weight, self.control_weight = reward_dist_weight, reward_control_weight
        super().__init__(num_envs, **common)

    def start(self, rng, n):
        qpos = self.init_qpos + rng.uniform(-0.1, 0.1, (n, self.model.nq))
        qpos[:, -2:] = self.draw(n, lambda k: rng.uniform(-0.2, 0.2, (k, 2)), lambda goal: self.xp.linalg.norm(goal, axis=1) < 0.2)
        qvel = self.init_qvel + rng.uniform(-0.005, 0.005, (n, self.model.nv))
        qvel[:, -2:] = 0
        return qpos, qvel

    def observe(self):
        qpos = self.batch.qpos
        return self.xp.concatenate((self.xp.cos(qpos[:, :2]), self.xp.sin(qpos[:, :2]), qpos[:, 2:], self.batch.qvel[:, :2],
                               self.between("fingertip", "target")[:, :2]), axis=1)

    def score(self, action, before):
        near = -self.dist_weight * self.xp.linalg.norm(self.between("fingertip", "target"), axis=1)
        cost = -self.control_weight * self.xp.square(action).sum(axis=1)
        return near + cost, self.nobody(), {"reward_dist": near, "reward_ctrl": cost}


class Pusher(_Reaching):
    """An arm that pushes a cylinder to a goal."""

    xml_file, frame_skip = "pusher_v5.xml", 5

    def __init__(self, num_envs: int = 1, *, reward_near_weight: float = 0.5, reward_dist_weight: float = 1,
                 reward_control_weight: float = 0.1, **common: Any) -> None:
        self.near_weight, self.dist_weight, self.control_weight = reward_near_weight, reward_dist_weight, reward_control_weight
        super().__init__(num_envs, **common)

    def start(self, rng, n):
        qpos = self.xp.tile(self.init_qpos, (n, 1))
        qpos[:, -4:-2] = self.draw(n, lambda k: self.xp.stack((rng.uniform(-0.3, 0, k), rng.uniform(-0.2, 0.2, k)), axis=1),
                               lambda cylinder: self.xp.linalg.norm(cylinder, axis=1) > 0.17)
        qpos[:, -2:] = 0
        qvel = self.init_qvel + rng.uniform(-0.005, 0.005, (n, self.model.nv))
        qvel[:, -4:] = 0
        return qpos, qvel

    def observe(self):
        bodies = (self.batch.body(name).xpos for name in ("tips_arm", "object", "goal"))
        return self.xp.concatenate((self.batch.qpos[:, :7], self.batch.qvel[:, :7], *bodies), axis=1)

    def score(self, action, before):
        near = -self.near_weight * self.xp.linalg.norm(self.between("object", "tips_arm"), axis=1)
        dist = -self.dist_weight * self.xp.linalg.norm(self.between("object", "goal"), axis=1)
        cost = -self.control_weight * self.xp.square(action).sum(axis=1)
        return dist + cost + near, self.nobody(), {"reward_dist": dist, "reward_ctrl": cost, "reward_near": near}
