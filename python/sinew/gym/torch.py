"""The same environments over PyTorch tensors: on a GPU, nothing of a step leaves it.

    envs = sinew.gym.torch.make("HalfCheetah-v5", num_envs=4096, device="cuda")
    observation, info = envs.reset(seed=0)
    observation, reward, terminated, truncated, info = envs.step(policy(observation))

Everything that is returned is a tensor on the device, and so may the actions be. Observations, rewards, terminations and infos are those of
`sinew.gym`; whether episodes have ended, and what begins them again, is computed on the device without asking it: no step waits. With
`device="cpu"` the same code runs on the batch of this machine, whose memory the tensors share.

On a GPU an environment can have what the batch has there (docs/gpu.md). Where it reads poses or other fields that follow from the
state, those of new episodes are computed by a call that waits for the device; those that read positions and velocities only never wait.
"""

import types
import warnings
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode

import sinew.gym
from sinew._batch import Batch, SimulationError
from sinew._device import DeviceArray
from sinew._named import Named
from sinew.gym import base

_REDRAWS = 64  # how often a value that does not fit is drawn again; one in 10^27 is left where half of them fit


class _Tensors:
    """The fields of a batch as tensors over its memory."""

    def __init__(self, batch: Batch) -> None:
        self.source, self.model, self.nsim = batch, batch.model, batch.nsim
        self.derived = False  # fields are read that follow from the state
        self._arrays: dict[Any, Any] = {}

    def bind(self, name: str) -> torch.Tensor:
        """A field of shape (simulations, …); the same tensor each time."""
        if name not in self._arrays:
            field = self.source.bind(name)
            if isinstance(field, DeviceArray):
                writable, tensor = field.writable, torch.from_dlpack(field)
            else:
                writable = field.flags.writeable
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # outputs are read-only, and nobody here writes them
                    tensor = torch.from_numpy(field)
            self.derived |= not writable
            self._arrays[name] = tensor.view(self.nsim, *self.source._template(name)[0])
        return self._arrays[name]

    def __getattr__(self, name: str) -> torch.Tensor:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.bind(name)

    def body(self, key: str | int) -> Named:
        """Fields of one body: `body("torso").xpos`."""
        return Named(self, "body", key)


class _Random:
    """Random numbers on the device, under the names of NumPy's generators."""

    def __init__(self, device: torch.device, dtype: torch.dtype, seed: int) -> None:
        self.options = {"device": device, "dtype": dtype, "generator": torch.Generator(device).manual_seed(seed)}

    def uniform(self, low: float, high: float, size: Any) -> torch.Tensor:
        return low + (high - low) * torch.rand(size, **self.options)

    def standard_normal(self, size: Any) -> torch.Tensor:
        return torch.randn(size, **self.options)


def _functions(device: torch.device, dtype: torch.dtype) -> Any:
    """PyTorch's functions under NumPy's names."""
    same = {name: getattr(torch, name) for name in ("abs", "clip", "cos", "isfinite", "sin", "square", "stack", "tile", "where")}
    return types.SimpleNamespace(
        **same, copy=torch.clone, concatenate=lambda parts, axis: torch.cat(tuple(parts), dim=axis),
        asarray=lambda values: torch.as_tensor(np.array(values), device=device, dtype=dtype),
        linalg=types.SimpleNamespace(norm=lambda x, axis: torch.linalg.vector_norm(x, dim=axis)))


class VectorEnv(base.VectorEnv):
    """`sinew.gym.VectorEnv` over tensors: a subclass writes the same three functions, with PyTorch.

    device: "cuda" or "cpu".
    real: precision, "float32" or "float64"; on the CPU it is "float64". None: "float32" on a GPU.
    """

    def __init__(self, num_envs: int = 1, *, device: str = "cuda", real: str | None = None, **common: Any) -> None:
        self.device = torch.device(device)
        self._real = real or ("float32" if self.device.type == "cuda" else "float64")
        self.dtype = getattr(torch, self._real)
        self.xp = _functions(self.device, self.dtype)
        self._random = _Random(self.device, self.dtype, 0)
        super().__init__(num_envs, **common)
        self._initial = {name: torch.clone(getattr(self.batch, name)[:1]) for name in self._kept()}

    # ------------------------------------------------------------ the interface

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[torch.Tensor, dict]:
        """Begins episodes: of all environments, or of those in `options["reset_mask"]`, a tensor on the device."""
        if seed is not None:
            self._random = _Random(self.device, self.dtype, int(seed))
        which = ~self.nobody()
        if options and options.get("reset_mask") is not None:
            which = torch.as_tensor(options["reset_mask"], device=self.device)
            if which.shape != (self.num_envs,) or which.dtype != torch.bool:
                raise ValueError(f"reset_mask is a mask of {self.num_envs} environments, not {which.dtype} of shape {tuple(which.shape)}")
        self._begin(which)
        return self.observe(), _masked(self.start_info(), which)

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, dict]:
        """One step of every environment; those that ended in the step before begin again instead (mode NEXT_STEP)."""
        actions = torch.as_tensor(actions, device=self.device)
        if tuple(actions.shape) != self.action_space.shape:
            raise ValueError(f"actions have shape {self.action_space.shape}, not {tuple(actions.shape)}")
        waiting = self._ended if self.autoreset_mode == AutoresetMode.NEXT_STEP else self.nobody()
        moving = ~waiting
        memory = self.before()
        self.batch.ctrl.copy_(actions)
        failed = self._advance()
        self._steps += moving

        reward, terminated, info = self.score(actions, memory)
        self._sized(reward, "score, rewards,", 1)
        terminated = (self._sized(terminated, "score, terminations,", 1) | failed) & moving
        truncated = moving & (self._steps >= (self.max_episode_steps or np.inf))
        reward = torch.where(moving & ~failed, reward, 0.0)
        self._ended = terminated | truncated
        infos = {**_masked(info, moving), **_masked({"failed": failed & moving}, failed & moving)}
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            self._begin(waiting)
        elif self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos.update(_masked({"final_obs": self.observe()}, self._ended))
            self._begin(self._ended)
        return self.observe(), reward, terminated, truncated, infos

    def draw(self, n: int, one_try: Any, fits: Any) -> torch.Tensor:
        """As in `sinew.gym.VectorEnv`, with a fixed number of tries instead of a question to the device."""
        values = one_try(n)
        for _ in range(_REDRAWS):
            values = torch.where(fits(values)[:, None], values, one_try(n))
        return values

    # ------------------------------------------------------------ how

    def _make_batch(self, nthread: int) -> _Tensors:
        if self.device.type != "cuda":
            return _Tensors(Batch(self.model, self.num_envs, nthread))
        stream = torch.cuda.current_stream(self.device).cuda_stream
        return _Tensors(Batch(self.model, self.num_envs, device="cuda", real=self._real, stream=stream or None))

    def _counts(self) -> tuple[torch.Tensor, torch.Tensor]:
        return (torch.zeros(self.num_envs, dtype=torch.int64, device=self.device),
                torch.zeros(self.num_envs, dtype=torch.bool, device=self.device))

    def _kept(self) -> list[str]:
        """Parts of the state, besides positions and velocities, that a new episode begins with anew."""
        model, always = self.model, ["time", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied"]
        return always + ["act"] * (model.na > 0) + ["mocap_pos", "mocap_quat"] * (model.nmocap > 0)

    def _advance(self) -> torch.Tensor:
        """Steps; which of the simulations failed: they keep their state, and time stands still."""
        time = self.batch.time
        before = torch.clone(time)
        try:
            self.batch.source.step(None, self.frame_skip)
        except SimulationError:
            pass
        return ~(time > before)

    def _begin(self, which: torch.Tensor) -> None:
        """Puts the environments of a mask into a starting state; the others stay as they are."""
        qpos, qvel = self.start(self._random, self.num_envs)
        for name, values in {**self._initial, "qpos": qpos, "qvel": qvel}.items():
            field = getattr(self.batch, name)
            rows = which.view(-1, *(1,) * (field.ndim - 1))
            field.copy_(torch.where(rows, values, field))
        self._steps.masked_fill_(which, 0)
        self._ended = self._ended & ~which
        if self.batch.derived:
            # the selection of a call is read by this machine: the one place that waits for a GPU
            self.batch.source.forward(which.cpu().numpy())
        self.settle(which)


def make(name: str, num_envs: int = 1, *, device: str = "cuda", **options: Any) -> VectorEnv:
    """One of Gymnasium's environments ("HalfCheetah-v5"; the version may be left out) over tensors of a device."""
    short = name.removeprefix("sinew/").removesuffix("-v5")
    if short not in sinew.gym.__all__ or short == "VectorEnv":
        raise ValueError(f"there is no environment {name!r}: {', '.join(one for one in sinew.gym.__all__ if one != 'VectorEnv')}")
    kind = type(short, (VectorEnv, getattr(sinew.gym, short)), {})
    return kind(num_envs, device=device, **{"max_episode_steps": sinew.gym.EPISODES.get(short, 1000), **options})


def _masked(values: dict[str, Any], which: torch.Tensor) -> dict[str, Any]:
    """Infos: a tensor, and a mask of where it counts."""
    return {key: entry for name, value in values.items() for key, entry in ((name, value), ("_" + name, which))}
