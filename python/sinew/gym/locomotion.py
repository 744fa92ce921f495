"""What runs, hops and swims: Gymnasium's Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, Swimmer and Walker2d, version 5."""

from typing import Any

import numpy as np

from sinew.gym.base import VectorEnv


class _Runner(VectorEnv):
    """A creature that is rewarded for moving forward, pays for its controls, and may have to stay healthy.

    `skipped` leading positions are not observed unless `exclude_current_positions_from_observation` is False.
    """

    skipped = 1
    speed_limit = np.inf  # of observed velocities
    normal_velocities = False  # velocities at the start are drawn from a normal distribution instead of a uniform one

    def __init__(self, num_envs: int = 1, *, forward_reward_weight: float = 1.0, ctrl_cost_weight: float = 0.1,
                 reset_noise_scale: float = 0.1, exclude_current_positions_from_observation: bool = True, **common: Any) -> None:
        self.forward_weight, self.ctrl_weight, self.noise = forward_reward_weight, ctrl_cost_weight, reset_noise_scale
        self.skip = self.skipped * exclude_current_positions_from_observation
        super().__init__(num_envs, **common)

    def start(self, rng, n):
        shape = (n, self.model.nv)
        noise = self.noise * rng.standard_normal(shape) if self.normal_velocities else rng.uniform(-self.noise, self.noise, shape)
        return self.init_qpos + rng.uniform(-self.noise, self.noise, (n, self.model.nq)), self.init_qvel + noise

    def observe(self):
        return self.xp.concatenate((self.batch.qpos[:, self.skip:], self.xp.clip(self.batch.qvel, -self.speed_limit, self.speed_limit)), axis=1)

    def before(self):
        return self.xp.copy(self.batch.qpos[:, : self.skipped])

    def velocity(self, before):
        """(num_envs, 1 or 2)"""
        return (self.batch.qpos[:, : self.skipped] - before) / self.dt

    def score(self, action, before):
        velocity = self.velocity(before)
        forward = self.forward_weight * velocity[:, 0]
        cost = self.ctrl_weight * self.xp.square(action).sum(axis=1)
        info = {**self.start_info(), "x_velocity": velocity[:, 0], "reward_forward": forward, "reward_ctrl": -cost}
        if velocity.shape[1] > 1:
            info["y_velocity"] = velocity[:, 1]
        return forward - cost, self.nobody(), info

    def start_info(self):
        return {"x_position": self.xp.copy(self.batch.qpos[:, 0])}

    def planar_info(self) -> dict[str, np.ndarray]:
        place = self.xp.copy(self.batch.qpos[:, :2])
        return {"x_position": place[:, 0], "y_position": place[:, 1], "distance_from_origin": self.xp.linalg.norm(place, axis=1)}


class HalfCheetah(_Runner):
    """A planar cheetah that runs."""

    xml_file, frame_skip, normal_velocities = "half_cheetah.xml", 5, True


class Swimmer(_Runner):
    """A chain of links that swims in the plane."""

    xml_file, frame_skip, skipped = "swimmer.xml", 4, 2

    def __init__(self, num_envs: int = 1, *, ctrl_cost_weight: float = 1e-4, **common: Any) -> None:
        super().__init__(num_envs, ctrl_cost_weight=ctrl_cost_weight, **common)

    def start_info(self):
        return self.planar_info()


class _Walker(_Runner):
    """A runner that must not fall: a reward for every healthy step, the end for an unhealthy one."""

    def __init__(self, num_envs: int = 1, *, healthy_reward: float = 1.0, terminate_when_unhealthy: bool = True,
                 healthy_z_range: tuple[float, float] = (-np.inf, np.inf), **common: Any) -> None:
        self.healthy_reward, self.terminates, self.z_range = healthy_reward, terminate_when_unhealthy, healthy_z_range
        super().__init__(num_envs, **common)

    def healthy(self) -> np.ndarray:
        raise NotImplementedError

    def score(self, action, before):
        reward, _, info = super().score(action, before)
        healthy = self.healthy()
        survive = self.healthy_reward * healthy
        return reward + survive, ~healthy & self.terminates, {**info, "reward_survive": survive}


class _PlanarWalker(_Walker):
    """Height and pitch are the second and third position; velocities are observed within ±10."""

    frame_skip, speed_limit = 4, 10

    def __init__(self, num_envs: int = 1, *, ctrl_cost_weight: float = 1e-3, reset_noise_scale: float = 5e-3,
                 healthy_angle_range: tuple[float, float] = (-1.0, 1.0), **common: Any) -> None:
        self.angle_range = healthy_angle_range
        super().__init__(num_envs, ctrl_cost_weight=ctrl_cost_weight, reset_noise_scale=reset_noise_scale, **common)

    def healthy(self):
        return _inside(self.batch.qpos[:, 1], self.z_range) & _inside(self.batch.qpos[:, 2], self.angle_range)

    def start_info(self):
        return {"x_position": self.xp.copy(self.batch.qpos[:, 0]), "z_distance_from_origin": self.batch.qpos[:, 1] - self.init_qpos[1]}


class Walker2d(_PlanarWalker):
    """A planar biped."""

    xml_file = "walker2d_v5.xml"

    def __init__(self, num_envs: int = 1, *, healthy_z_range: tuple[float, float] = (0.8, 2.0), **common: Any) -> None:
        super().__init__(num_envs, healthy_z_range=healthy_z_range, **common)


class Hopper(_PlanarWalker):
    """A planar leg that hops."""

    xml_file = "hopper.xml"

    def __init__(self, num_envs: int = 1, *, healthy_z_range: tuple[float, float] = (0.7, np.inf),
                 healthy_angle_range: tuple[float, float] = (-0.2, 0.2), healthy_state_range: tuple[float, float] = (-100.0, 100.0),
                 **common: Any) -> None:
        self.state_range = healthy_state_range
        super().__init__(num_envs, healthy_z_range=healthy_z_range, healthy_angle_range=healthy_angle_range, **common)

    def healthy(self):
        state = self.xp.concatenate((self.batch.qpos[:, 2:], self.batch.qvel), axis=1)
        return super().healthy() & _inside(state, self.state_range).all(axis=1)


class Ant(_Walker):
    """A body on four legs."""

    xml_file, frame_skip, skipped, normal_velocities = "ant.xml", 5, 2, True

    def __init__(self, num_envs: int = 1, *, ctrl_cost_weight: float = 0.5, contact_cost_weight: float = 5e-4, main_body: int | str = 1,
                 healthy_z_range: tuple[float, float] = (0.2, 1.0), contact_force_range: tuple[float, float] = (-1.0, 1.0),
                 include_cfrc_ext_in_observation: bool = True, **common: Any) -> None:
        self.contact_weight, self.main_body, self.force_range = contact_cost_weight, main_body, contact_force_range
        self.observes_forces = include_cfrc_ext_in_observation
        super().__init__(num_envs, ctrl_cost_weight=ctrl_cost_weight, healthy_z_range=healthy_z_range, **common)

    def prepare(self):
        self.place = self.batch.body(self.main_body).xpos
        self.contact_forces()

    def forces(self) -> np.ndarray:
        return self.xp.clip(self.contact_forces(), *self.force_range)

    def observe(self):
        state = super().observe()
        return self.xp.concatenate((state, self.forces()[:, 1:].reshape(self.num_envs, -1)), axis=1) if self.observes_forces else state

    def before(self):
        return self.xp.copy(self.place[:, :2])

    def velocity(self, before):
        return (self.place[:, :2] - before) / self.dt

    def healthy(self):
        finite = self.xp.isfinite(self.batch.qpos).all(axis=1) & self.xp.isfinite(self.batch.qvel).all(axis=1)
        height = self.batch.qpos[:, 2]
        return finite & (self.z_range[0] <= height) & (height <= self.z_range[1])

    def score(self, action, before):
        reward, ended, info = super().score(action, before)
        cost = self.contact_weight * self.xp.square(self.forces()).sum(axis=(1, 2))
        return reward - cost, ended, {**info, "reward_contact": -cost}

    def start_info(self):
        return self.planar_info()


class _Human(_Runner):
    """What both humanoids observe, and what contacts cost them."""

    def set_observed(self, **include: bool) -> None:
        self.included = include

    def prepare(self) -> None:
        b, self.mass = self.batch, self.xp.asarray(self.model.body_mass)
        self.centres, self.tendons = b.xipos, (b.ten_length, b.ten_velocity)
        self.contact_forces()
        self.observed = [field for field, wanted in ((b.cinert[:, 1:], self.included["cinert"]), (b.cvel[:, 1:], self.included["cvel"]),
                                                     (b.qfrc_actuator[:, 6:], self.included["qfrc_actuator"])) if wanted]

    def observe(self) -> np.ndarray:
        parts = [*self.observed, self.contact_forces()[:, 1:]] if self.included["cfrc_ext"] else self.observed
        rows = (part.reshape(self.num_envs, -1) for part in parts)
        return self.xp.concatenate((self.batch.qpos[:, self.skip:], self.batch.qvel, *rows), axis=1)

    def contact_cost(self, weight: float, limits: tuple[float, float]) -> np.ndarray:
        return self.xp.clip(weight * self.xp.square(self.contact_forces()).sum(axis=(1, 2)), *limits)

    def tendon_info(self) -> dict[str, np.ndarray]:
        return {"tendon_length": self.xp.copy(self.tendons[0]), "tendon_velocity": self.xp.copy(self.tendons[1])}


class Humanoid(_Human, _Walker):
    """A humanoid that walks."""

    xml_file, frame_skip, skipped = "humanoid.xml", 5, 2

    def __init__(self, num_envs: int = 1, *, forward_reward_weight: float = 1.25, contact_cost_weight: float = 5e-7,
                 contact_cost_range: tuple[float, float] = (-np.inf, 10.0), healthy_reward: float = 5.0,
                 healthy_z_range: tuple[float, float] = (1.0, 2.0), reset_noise_scale: float = 1e-2,
                 include_cinert_in_observation: bool = True, include_cvel_in_observation: bool = True,
                 include_qfrc_actuator_in_observation: bool = True, include_cfrc_ext_in_observation: bool = True, **common: Any) -> None:
        self.contact_weight, self.contact_range = contact_cost_weight, contact_cost_range
        self.set_observed(cinert=include_cinert_in_observation, cvel=include_cvel_in_observation,
                          qfrc_actuator=include_qfrc_actuator_in_observation, cfrc_ext=include_cfrc_ext_in_observation)
        super().__init__(num_envs, forward_reward_weight=forward_reward_weight, healthy_reward=healthy_reward,
                         healthy_z_range=healthy_z_range, reset_noise_scale=reset_noise_scale, **common)

    def centre(self) -> np.ndarray:
        return (self.mass[:, None] * self.centres).sum(axis=1)[:, :2] / self.mass.sum()

    def before(self):
        return self.centre()

    def velocity(self, before):
        return (self.centre() - before) / self.dt

    def healthy(self):
        return _inside(self.batch.qpos[:, 2], self.z_range)

    def score(self, action, before):
        reward, ended, info = super().score(self.batch.ctrl, before)
        cost = self.contact_cost(self.contact_weight, self.contact_range)
        return reward - cost, ended, {**info, "reward_contact": -cost}

    def start_info(self):
        return {**self.planar_info(), **self.tendon_info()}


class HumanoidStandup(_Human):
    """A humanoid that lies on its back and stands up."""

    xml_file, frame_skip, skipped = "humanoidstandup.xml", 5, 2

    def __init__(self, num_envs: int = 1, *, uph_cost_weight: float = 1, impact_cost_weight: float = 0.5e-6,
                 impact_cost_range: tuple[float, float] = (-np.inf, 10.0), reset_noise_scale: float = 1e-2,
                 include_cinert_in_observation: bool = True, include_cvel_in_observation: bool = True,
                 include_qfrc_actuator_in_observation: bool = True, include_cfrc_ext_in_observation: bool = True, **common: Any) -> None:
        self.impact_weight, self.impact_range = impact_cost_weight, impact_cost_range
        self.set_observed(cinert=include_cinert_in_observation, cvel=include_cvel_in_observation,
                          qfrc_actuator=include_qfrc_actuator_in_observation, cfrc_ext=include_cfrc_ext_in_observation)
        super().__init__(num_envs, forward_reward_weight=uph_cost_weight, reset_noise_scale=reset_noise_scale, **common)

    def score(self, action, before):
        up = self.batch.qpos[:, 2] / float(self.model.field("opt.timestep"))
        cost = self.ctrl_weight * self.xp.square(self.batch.ctrl).sum(axis=1)
        impact = self.contact_cost(self.impact_weight, self.impact_range)
        info = {**self.start_info(), "reward_linup": up, "reward_quadctrl": -cost, "reward_impact": -impact}
        return up - cost - impact + 1, self.nobody(), info

    def start_info(self):
        return {"x_position": self.xp.copy(self.batch.qpos[:, 0]), "y_position": self.xp.copy(self.batch.qpos[:, 1]),
                "z_distance_from_origin": self.batch.qpos[:, 2] - self.init_qpos[2], **self.tendon_info()}


def _inside(values: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    return (limits[0] < values) & (values < limits[1])
