"""Questions about the present state of simulations that are no fields: Jacobians and rays. One simulation after the other."""

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from sinew._native import C

if TYPE_CHECKING:
    from sinew._batch import Batch

NGROUP = 6  # mjNGROUP
MINVAL = 1e-15  # mjMINVAL


def jac(batch: "Batch", body: ArrayLike, point: ArrayLike, ids: ArrayLike | None) -> tuple[np.ndarray, np.ndarray]:
    """See `Batch.jac`."""
    sims = selected(batch, ids)
    bodies = integers(batch.model.id("body", body) if isinstance(body, str) else body, (len(sims),), 0, batch.model.nbody, "body")
    points = _places(point, (len(sims), 3), "point")
    jacp, jacr = np.zeros((2, len(sims), 3, batch.model.nv))
    for k, model, data in _posed(batch, sims):
        C.mj_comPos(model, data)
        C.mj_jac(model, data, jacp[k].ctypes.data, jacr[k].ctypes.data, points[k].ctypes.data, int(bodies[k]))
    return jacp, jacr


def ray(batch: "Batch", pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: bool, bodyexclude: ArrayLike,
        ids: ArrayLike | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """See `Batch.ray`; distances, geoms and normals."""
    sims = selected(batch, ids)
    given = [np.atleast_2d(np.asarray(values, float)) for values in (pnt, vec)]
    try:
        nray = np.broadcast_shapes(*(values.shape[:-1] for values in given))[-1]
    except ValueError:
        raise ValueError(f"there are as many pnt as vec, not {given[0].shape} and {given[1].shape}") from None
    shape = (len(sims), nray)
    starts, ways = (_places(values, (*shape, 3), name) for values, name in zip(given, ("pnt", "vec")))
    if not (np.isfinite(starts).all() and np.isfinite(ways).all() and (np.linalg.norm(ways, axis=-1) >= MINVAL).all()):
        raise ValueError("rays begin somewhere and have a direction: pnt or vec has NaN or infinity, or vec is zero")
    exclude = integers(bodyexclude, shape, -1, batch.model.nbody, "bodyexclude")
    group = None if geomgroup is None else np.ascontiguousarray(geomgroup, np.uint8)
    if group is not None and group.shape != (NGROUP,):
        raise ValueError(f"geomgroup has {NGROUP} flags, not shape {group.shape}")
    groups = None if group is None else group.ctypes.data
    distance, geom, normal = np.zeros(shape), np.zeros(shape, np.int32), np.zeros((*shape, 3))
    for k, model, data in _posed(batch, sims):
        C.mj_flex(model, data)
        for j in range(nray):
            distance[k, j] = C.mj_ray(model, data, starts[k, j].ctypes.data, ways[k, j].ctypes.data, groups, bool(flg_static), int(exclude[k, j]),
                                      geom[k, j:].ctypes.data, normal[k, j].ctypes.data)
    return distance, geom, normal


def selected(batch: "Batch", ids: ArrayLike | None) -> np.ndarray:
    """Numbers of the simulations that `ids` means."""
    if ids is None:
        return np.arange(batch.nsim)
    given = np.asarray(ids)
    if given.dtype == bool:
        if given.shape != (batch.nsim,):
            raise ValueError(f"a mask has {batch.nsim} elements, one per simulation, not {given.shape}")
        return np.flatnonzero(given)
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"ids are integers, not {given.dtype}")
    if given.ndim != 1:
        raise ValueError(f"ids is a list, not of shape {given.shape}")
    outside = given[(given < 0) | (given >= batch.nsim)]
    if outside.size:
        raise ValueError(f"there is no simulation {outside[0]}: the batch has {batch.nsim}")
    return given.astype(int)


def integers(values: ArrayLike, shape: tuple[int, ...], low: int, end: int, name: str) -> np.ndarray:
    """Integers in [low, end), one or of a shape."""
    given = np.asarray(values)
    if given.dtype.kind not in "iu":
        raise TypeError(f"{name} is an integer, not {given.dtype}")
    outside = given[(given < low) | (given >= end)]
    if outside.size:
        raise ValueError(f"{name} is in [{low}, {end}), not {outside.flat[0]}")
    try:
        return np.broadcast_to(given, shape)
    except ValueError:
        raise ValueError(f"{name} is one number or has shape {shape}, not {given.shape}") from None


def _places(values: Any, shape: tuple[int, ...], name: str) -> np.ndarray:
    try:
        return np.ascontiguousarray(np.broadcast_to(np.asarray(values, float), shape))
    except ValueError:
        raise ValueError(f"{name} has shape {shape}, or one that serves for it, not {np.shape(values)}") from None


def _posed(batch: "Batch", sims: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """For each simulation its place in the answer, its model, and data that have its state and poses."""
    kinds, data = batch._kinds(), {}
    try:
        for k, sim in enumerate(sims):
            kind = int(kinds[sim])
            own = batch.models[kind]._pointer if not batch._differs else C.sn_batchGetModel(batch._alive().pointer, operator.index(sim))
            data.setdefault(kind, C.mj_makeData(batch.models[kind]._pointer))
            batch._call(C.sn_batchGetData, None, int(sim), data[kind], select=False)
            C.mj_kinematics(own, data[kind])
            yield k, own, data[kind]
            if batch._differs:
                C.mj_deleteModel(own)
    finally:
        for made in data.values():
            C.mj_deleteData(made)
