"""Rollouts on many machines: a pool of batches, one per Ray worker. Needs `pip install sinew[ray]`.

    import ray, sinew.ray

    ray.init()                                             # or the address of a cluster
    pool = sinew.ray.Pool("humanoid.xml", workers=8, nsim=512, nthread=4)
    records = pool.rollout(control=controls, record=["qpos", "sensordata"])

What a rollout gives depends on its arguments alone, bit for bit: not on the number of workers, nor on their machines. So a worker that
dies is started again by Ray, its part is computed again, and the result is what it would have been.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import ray
from numpy.typing import ArrayLike

from sinew._batch import STATE_ALL, Batch
from sinew._model import Model


class Worker:
    """A batch in a process of Ray's; `Pool` makes them."""

    def __init__(self, model: bytes, nsim: int, options: Mapping[str, Any]) -> None:
        self.model, self.nsim, self.options = Model(model), nsim, dict(options)
        self.batch = Batch(self.model, nsim, **self.options)

    def process(self) -> int:
        """The number of the worker's process on its machine."""
        return os.getpid()

    def rollout(self, part: Mapping[str, Any], nstep: int, record: Sequence[str], substeps: int) -> dict[str, np.ndarray]:
        """Up to nsim simulations: from their states, with their parameters and controls, to their records."""
        n = part["n"]
        batch = Batch(self.model, n, **self.options) if part["parameters"] else self.batch  # parameters stay with a batch
        for name, values in part["parameters"].items():
            batch.expand(name)[:] = values
        if part["parameters"]:
            batch.set_const()
        ids = np.arange(n)
        if part["state"] is None:
            batch.reset(ids, stage=0)
        else:
            batch.set_state(part["state"], ids, part["spec"])
        return batch.rollout(nstep, part["control"], record=record, ids=ids, substeps=substeps)


class Pool:
    """Batches of `nsim` simulations in `workers` processes of Ray.

    model: what `sinew.Model` takes. resources: what Ray reserves for a worker; one CPU per thread if nothing is said.
    options: those of `sinew.Batch` that can travel: nthread (1 if nothing is said), persistent, seed.
    A worker that dies is started again, and its work repeated, any number of times.
    """

    def __init__(self, model: Any, workers: int, nsim: int, *, resources: Mapping[str, Any] | None = None, **options: Any) -> None:
        if workers < 1 or nsim < 1:
            raise ValueError(f"a pool needs at least one worker and one simulation, not {workers} and {nsim}")
        unknown = set(options) - {"nthread", "persistent", "seed"}
        if unknown:
            raise TypeError(f"not an option of a pool: {', '.join(sorted(unknown))}")
        options.setdefault("nthread", 1)
        self.model, self.nsim = Model(model), nsim
        needs = dict(resources) if resources is not None else {"num_cpus": max(1, options["nthread"])}
        remote = ray.remote(max_restarts=-1, max_task_retries=-1, **needs)(Worker)
        self._content = ray.put(self.model.to_bytes())  # kept: a worker that is started again reads it again
        self.workers = [remote.remote(self._content, nsim, options) for _ in range(workers)]

    def processes(self) -> list[int]:
        """Numbers of the workers' processes."""
        return ray.get([worker.process.remote() for worker in self.workers])

    def rollout(self, nstep: int | None = None, control: ArrayLike | None = None, record: Sequence[str] = ("qpos", "qvel"), *,
                n: int | None = None, substeps: int = 1, state: ArrayLike | None = None, spec: int = STATE_ALL,
                parameters: Mapping[str, ArrayLike] | None = None) -> dict[str, np.ndarray]:
        """Steps and records: arrays of shape (simulations, nstep, ...), by name of the field, as `Batch.rollout`.

        The number of simulations is that of the rows of `control` (n, nstep, nu), of `state` (n, ...: parts `spec` of the state to
        begin with) or of the values of `parameters` (fields of the model by name), or `n`; it may exceed what the workers hold at a
        time.
        """
        given = {"control": control, "state": state, **(parameters or {})}
        arrays = {name: np.asarray(values) for name, values in given.items() if values is not None}
        counts = {len(values) for values in arrays.values()} | ({n} if n is not None else set())
        if len(counts) != 1:
            raise ValueError(f"the number of simulations is that of control, state, parameters and n: one number, not {sorted(counts)}")
        if nstep is None:
            if control is None:
                raise ValueError("without control, nstep says how many records there are")
            if arrays["control"].ndim != 3:
                raise ValueError(f"control has shape (n, nstep, nu), not {arrays['control'].shape}")
            nstep = arrays["control"].shape[1]
        if np.ndim(nstep):
            raise TypeError("nstep is a number; controls are given by name: rollout(control=...)")
        total = counts.pop()
        parts = [self._part(arrays, parameters or {}, spec, first, min(first + self.nsim, total)) for first in range(0, total, self.nsim)]

        # every worker gets the next part when it has finished one
        pool = ray.util.ActorPool(self.workers)
        results = list(pool.map(lambda worker, part: worker.rollout.remote(part, nstep, list(record), substeps), parts))
        return {name: np.concatenate([result[name] for result in results]) for name in record}

    @staticmethod
    def _part(arrays: Mapping[str, np.ndarray], parameters: Mapping[str, Any], spec: int, first: int, end: int) -> dict[str, Any]:
        cut = {name: values[first:end] for name, values in arrays.items()}
        return {"n": end - first, "control": cut.get("control"), "state": cut.get("state"), "spec": spec,
                "parameters": {name: cut[name] for name in parameters}}

    def close(self) -> None:
        """Ends the workers."""
        for worker in self.workers:
            ray.kill(worker)
        self.workers = []
