"""Many simulations at once, as arrays. Names follow `mujoco.batch` of newer releases where both have the same thing."""

import ctypes
import operator
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sinew import _dropin, _native
from sinew._device import DeviceArray
from sinew._hooks import Bridge, address
from sinew._model import Model
from sinew._named import Named
from sinew._native import C, Field, Hooks, Options, Rollout, Selection, array

NMESSAGE = 1000
STATE_ALL = (1 << 14) - 1  # every bit of mjtState
STATE_CTRL = 1 << 6
AUTORESET = {None: 0, "same": 1, "next": 2}
DEVICES = {"cpu": _native.CPU, "cuda": _native.CUDA}
REALS = {"float64": 0, "float32": 1}


class SimulationError(RuntimeError):
    """Some simulations of a call failed: they kept the state before the call, the others finished.

    `ids` lists them; `Batch.error(i)` has the message of each.
    """

    def __init__(self, ids: np.ndarray, message: str) -> None:
        self.ids = ids
        shown = ", ".join(map(str, ids[:5])) + (", ..." if len(ids) > 5 else "")
        super().__init__(f"{len(ids)} simulations failed ({shown}); simulation {ids[0]}: {message}")


def _named(kind: str) -> Callable[["Batch", str | int], Named]:
    """A method that gives one element of a kind."""
    def view(self: "Batch", key: str | int) -> Named:
        return Named(self, kind, key)
    view.__name__ = kind
    view.__doc__ = f"The fields of one {kind}, by name or number, over all simulations: `batch.{kind}(key).…`."
    return view


class _Handle:
    """The batch of the library; arrays over its memory keep it alive."""

    def __init__(self, pointer: int) -> None:
        self.pointer = pointer
        self.process = os.getpid()

    def __del__(self) -> None:
        # in a forked child its threads do not exist, and its memory is the parent's
        if self.process == os.getpid():
            C.sn_deleteBatch(self.pointer)


class Batch:
    """`nsim` simulations of a model, or of several, stepped by all threads.

    Each gives, bit for bit, what a loop over `mj_step` gives, for any number of threads.

        batch = sinew.Batch("humanoid.xml", 1024)
        for _ in range(1000):
            batch.ctrl[:] = policy(batch.qpos, batch.qvel)
            batch.step()

    Fields of mjData are attributes: arrays of shape (nsim, ...) over the library's own memory, the same array each time.
    State and inputs (`qpos`, `qvel`, `act`, `ctrl`, `mocap_pos` ...) can be written: that is the state of the next call. Others
    (`xpos`, `sensordata` ...) are read-only, zero until the first call after they were asked for, refreshed by every call.
    `batch.joint("hip").qpos` is the part of one element; so `actuator`, `body`, `camera`, `equality`, `geom`, `light`, `sensor`, `site` and
    `tendon`.

    model: what `sinew.Model` takes, or a list of such. With a list, `which` says which one each simulation is of, and fields
        are asked for with `bind(name, model=k)`.
    nthread: number of threads, 0 for one per CPU.
    device: "cpu", or "cuda" for a GPU, where the library for it is there (`make cuda`): fields are then `DeviceArray`s in its memory,
        and calls return when the work is begun (`wait`).
    real: on a GPU, the precision: "float64" or "float32".
    stream: on a GPU, the cudaStream_t to work on, as a number; None for the default one.
    persistent: keep an mjData per simulation instead of one per thread.
    seed: of the random streams that functions for resets get.
    hooks: a dictionary of functions by name: `control`, `passive` (model, data), `sensor` (model, data, stage), `contactfilter` (model,
        data, geom1, geom2; True drops the pair), `act_dyn`, `act_gain`, `act_bias`, `act_vel` (model, data, actuator; a number). They
        are called with a `Model` and a `Data` of the simulation.
    reset: called after a simulation was reset, with (model, data, sim, random), to change data; see `Random`.
    done: called after the steps of a simulation with (model, data, sim); True: its episode has ended.
        All of these may be Python functions, which run one at a time, or C functions as in sinew/batch.h, as an address or a ctypes,
        cffi or numba pointer, which all threads run at once and which get `context`, an address. An exception in a Python
        function fails its simulation and is raised by the call.
    autoreset: what happens when `done` says so: None, "same" (reset at once) or "next" (with the next step).
    """

    def __init__(self, model: Any, nsim: int, nthread: int = 0, persistent: bool = False, *, which: ArrayLike | None = None,
                 device: str = "cpu", real: str = "float64", stream: int | None = None, seed: int = 0, hooks: Mapping[str, Any] | None = None, reset: Any = None, done: Any = None,
                 context: Any = None, autoreset: str | None = None, autoreset_key: int = -1) -> None:
        self._lock = threading.Lock()
        self._arrays: dict[tuple, Any] = {}
        models = list(model) if isinstance(model, (list, tuple)) else [model]
        self.models = [m if isinstance(m, Model) else Model(m) for m in models]
        self.nsim, self.device = _count(nsim, "nsim"), device
        self._stream, self._gpu = stream, 0
        options = self._options(device, nthread, persistent, seed, autoreset, autoreset_key)
        options.real, options.stream = _choice(REALS, real, "real"), stream
        self._set_functions(options, hooks or {}, reset, done, context)
        message = ctypes.create_string_buffer(NMESSAGE)
        pointers = (ctypes.c_void_p * len(self.models))(*(m._pointer for m in self.models))
        kinds = None if which is None else _ints(which, "which", self.nsim)
        pointer = C.sn_makeBatch(pointers, len(self.models), None if kinds is None else kinds.ctypes.data, self.nsim,
                                 ctypes.byref(options), message, NMESSAGE)
        if not pointer:
            raise ValueError(message.value.decode())
        self._handle = self._bridge.owner = _Handle(pointer)

    @property
    def model(self) -> Model:
        """The model, or the first of several."""
        return self.models[0]

    @property
    def nthread(self) -> int:
        """Number of threads, the calling one included."""
        return C.sn_batchThreads(self._handle.pointer)

    @property
    def memory(self) -> int:
        """Bytes that the batch holds for its simulations."""
        return C.sn_batchMemory(self._handle.pointer)

    # ------------------------------------------------------------ fields

    def bind(self, name: str, model: int = 0) -> np.ndarray:
        """The field of mjData over the simulations of a model; the same array each time."""
        return self._array("field", C.sn_batchField, model, name)

    def list(self, name: str, capacity: int, model: int = 0) -> np.ndarray:
        """Rows of varying number: "contact.pos", "efc_force" ...; at most `capacity` per simulation, the rest zeros.

        `ncon` and `nefc` tell how many there were.
        """
        return self._array(f"list{capacity}", C.sn_batchList, model, name, operator.index(capacity))

    def expand(self, name: str, model: int = 0) -> np.ndarray:
        """Gives every simulation values of its own for a field of the model ("body_mass", "opt.timestep"), and returns them."""
        return self._array("model", C.sn_batchExpand, model, name)

    def expanded(self, name: str, model: int = 0) -> np.ndarray | None:
        """The values that simulations have of their own for a field of the model; None where it is not expanded."""
        return self._arrays.get(("model", model, name))

    def set_models(self, models: Sequence[Any], ids: ArrayLike | None = None) -> None:
        """Gives each selected simulation the values of a model of its own, made of the same parts: what differs is expanded.

        `models` has one model per simulation, each what `sinew.Model` takes. State stays as it is.
        """
        chosen = np.arange(self.nsim) if ids is None else np.asarray(ids)
        chosen = np.flatnonzero(chosen) if chosen.dtype == bool else _ints(chosen, "ids", None)
        if len(models) != len(chosen):
            raise ValueError(f"there are {len(chosen)} simulations and {len(models)} models: each gets one")
        for sim, model in zip(chosen, models):
            own = model if isinstance(model, Model) else Model(model)
            self._call(C.sn_batchSetModel, None, int(sim), own._pointer, select=False)

    def set_const(self, ids: ArrayLike | None = None) -> None:
        """Brings up to date what the model derives from expanded fields, as mj_setConst does."""
        self._call(C.sn_batchSetConst, ids)

    @property
    def status(self) -> np.ndarray:
        """What the last call came to for each simulation: 0 done, 1 with a warning, -1 failed."""
        if self.device == "cuda":
            return np.array([C.sn_batchStatus(self._handle.pointer, i) for i in range(self.nsim)], np.int32)
        return self._array("field", C.sn_batchField, -1, "status")

    @property
    def done(self) -> np.ndarray:
        """1 where the function `done` said that the episode has ended."""
        return self._array("field", C.sn_batchField, -1, "done")

    @property
    def warning(self) -> np.ndarray:
        """Warnings since the last reset, by mjtWarning."""
        return self._array("field", C.sn_batchField, -1, "warning")

    @property
    def episode(self) -> np.ndarray:
        """How often each simulation was reset."""
        return self._array("field", C.sn_batchField, -1, "episode")

    def error(self, sim: int) -> str:
        """The message of a simulation that failed or warned; empty otherwise."""
        return C.sn_batchMessage(self._handle.pointer, operator.index(sim)).decode(errors="replace")

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.bind(name)
        except ValueError as error:
            raise AttributeError(f"{error}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or name in ("models", "nsim", "device"):
            object.__setattr__(self, name, value)
            return
        field = self.bind(name)
        if not (field.writable if isinstance(field, DeviceArray) else field.flags.writeable):
            raise AttributeError(f"{name!r} is an output: what is written would be lost with the next call")
        field[...] = value

    actuator, body, camera, equality, geom = map(_named, ("actuator", "body", "camera", "equality", "geom"))
    joint, light, sensor, site, tendon = map(_named, ("joint", "light", "sensor", "site", "tendon"))

    # ------------------------------------------------------------ calls

    def step(self, ids: ArrayLike | None = None, nstep: int = 1) -> None:
        """mj_step, `nstep` times. `ids`: indices or a boolean mask, None for all simulations."""
        self._call(C.sn_batchStep, ids, _count(nstep, "nstep"))

    def forward(self, ids: ArrayLike | None = None) -> None:
        """mj_forward: derived fields belong to the present state."""
        self._call(C.sn_batchForward, ids)

    def reset(self, ids: ArrayLike | None = None, keyframe: int | str = -1) -> None:
        """The initial state, or a keyframe by number or name; then the function `reset`, where there is one."""
        number = self.model.id("key", keyframe) if isinstance(keyframe, str) else operator.index(keyframe)
        self._call(C.sn_batchReset, ids, number)

    def wait(self) -> None:
        """Waits for a GPU, whose calls return before they are done, and raises `SimulationError` where simulations failed there."""
        if self.device == "cuda":
            self._call(C.sn_batchWait, None, select=False)
            failed = np.flatnonzero(self.status == _native.ERROR)
            if len(failed):
                raise SimulationError(failed, self.error(int(failed[0])))

    def get_state(self, ids: ArrayLike | None = None, spec: int = STATE_ALL) -> np.ndarray:
        """The parts `spec` (bits of mjtState) of the state, a row per selected simulation."""
        chosen = self._selected(ids)
        state = np.zeros((chosen, self._state_size(spec)))
        self._call(C.sn_batchGetState, ids, state.ctypes.data, spec)
        return state

    def set_state(self, state: ArrayLike, ids: ArrayLike | None = None, spec: int = STATE_ALL) -> None:
        """Resets the selected simulations to the initial state with the parts `spec` from the rows of `state`."""
        shape = (self._selected(ids), self._state_size(spec))
        self._call(C.sn_batchResetState, ids, _numbers(state, "state", shape).ctypes.data, spec)

    def rollout(self, control: ArrayLike | None = None, nstep: int | None = None, record: Sequence[str] = ("qpos", "qvel"), *,
                substeps: int = 1, ids: ArrayLike | None = None) -> dict[str, np.ndarray]:
        """Steps and records: arrays of shape (simulations, nstep, ...), by name of the field.

        `control` (simulations, nstep, nu) is set before the substeps of each record; without it, `nstep` says how many.
        """
        rows, model = self._selected(ids), self.models[0]
        if control is not None and nstep is None:
            nstep = np.shape(control)[1] if np.ndim(control) == 3 else 1
        if nstep is None:
            raise ValueError("without control, nstep says how many records there are")
        if isinstance(record, str):
            raise TypeError(f"record is a list of names, not one name: [{record!r}]")
        nstep, substeps = _count(nstep, "nstep"), _count(substeps, "substeps")
        if control is not None:
            control = _numbers(control, "control", (rows, nstep, model.nu))
        templates = {name: self._template(name) for name in record}
        out = {name: np.zeros((rows, nstep, *shape), dtype) for name, (shape, dtype) in templates.items()}
        names = (ctypes.c_char_p * max(len(out), 1))(*(name.encode() for name in out))
        places = (ctypes.c_void_p * max(len(out), 1))(*(a.ctypes.data for a in out.values()))
        plan = Rollout(nstep, substeps, STATE_CTRL if control is not None else 0,
                       control.ctypes.data if control is not None else None, len(out), names, places)
        self._call(C.sn_batchRollout, ids, ctypes.byref(plan))
        return out

    def get_model(self, sim: int) -> Model:
        """A copy of a simulation's model with its expanded values."""
        pointer = C.sn_batchGetModel(self._alive().pointer, operator.index(sim))
        if not pointer:
            raise IndexError(f"there is no simulation {sim}: the batch has {self.nsim}")
        return Model._own(pointer)

    def get_data(self, sim: int, data: Any) -> None:
        """Copies a simulation's state into a `mujoco.MjData` that was made for its model, to draw or examine it."""
        address = getattr(data, "_address", None)
        if not isinstance(address, int) or not hasattr(data, "qpos"):
            raise TypeError(f"data is a mujoco.MjData, not {type(data).__name__}")
        if _dropin.on_sinew():
            self._call(C.sn_batchGetData, None, sim, address, select=False)
            return
        # data of the reference: the state goes through its own function
        import mujoco
        state = self.get_state([sim])[0]
        size = C.mj_stateSize(self.models[self._array("field", C.sn_batchField, -1, "model")[sim]]._pointer, STATE_ALL)
        if mujoco.mj_stateSize(data.model, STATE_ALL) != size:
            raise ValueError(f"data was not made for the model of simulation {sim}")
        mujoco.mj_setState(data.model, data, state[:size], STATE_ALL)

    def __len__(self) -> int:
        return self.nsim

    def __repr__(self) -> str:
        return f"<sinew.Batch: {self.nsim} simulations, {self.nthread} threads>"

    def __reduce__(self) -> tuple:
        raise TypeError("a batch lives in one process: make one in each")

    # ------------------------------------------------------------ how

    @staticmethod
    def _options(device: str, nthread: int, persistent: bool, seed: int, autoreset: str | None, autoreset_key: int) -> Options:
        options = Options()
        C.sn_defaultBatchOptions(ctypes.byref(options))
        options.device = _choice(DEVICES, device, "device")
        options.nthread, options.persistent, options.seed = nthread, bool(persistent), seed
        options.autoreset, options.autoreset_key = _choice(AUTORESET, autoreset, "autoreset"), autoreset_key
        return options

    def _set_functions(self, options: Options, hooks: Mapping[str, Any], reset: Any, done: Any, context: Any) -> None:
        unknown = set(hooks) - set(Hooks.NAMES)
        if unknown:
            raise ValueError(f"no such hook: {', '.join(sorted(unknown))}; there are {', '.join(Hooks.NAMES)}")
        if context is not None and address(context) is None:
            raise TypeError(f"context is an address or a ctypes or cffi pointer for C functions, not {type(context).__name__}")
        self._bridge = Bridge()
        table = Hooks(address(context), *(self._bridge.address(name, hooks.get(name)) for name in Hooks.NAMES))
        self._kept = (table, hooks, reset, done, context)  # what the library calls must outlive the batch
        if hooks:
            options.hooks = ctypes.pointer(table)
        options.context = address(context)
        options.reset, options.done = self._bridge.address("reset", reset), self._bridge.address("done", done)

    def _alive(self) -> _Handle:
        if self._handle.process != os.getpid():
            raise RuntimeError("this batch was made before the process was forked, and its threads are the parent's: make a new one here")
        return self._handle

    def _array(self, kind: str, function: Any, model: int, name: str, *more: Any) -> np.ndarray:
        if not isinstance(name, str):
            raise TypeError(f"a field is asked for by its name, not by {type(name).__name__}")
        key = (kind, model, name)
        if key not in self._arrays:
            field = Field()
            if function(self._alive().pointer, model, name.encode(), *more, ctypes.byref(field)) == _native.ERROR:
                raise ValueError(self.error(-1) or "another thread is inside this batch")
            self._arrays[key] = DeviceArray(field, self) if field.device == _native.CUDA else array(field, self._handle)
        return self._arrays[key]

    def _template(self, name: str) -> tuple[tuple[int, ...], Any]:
        """Shape and type of a recorded field of one simulation; recording does not bind it."""
        if name == "done":
            return (), np.uint8
        field = Field()
        if C.sn_dataField(self.model._pointer, None, name.encode(), ctypes.byref(field)) != _native.OK:
            raise ValueError(f"{name!r} is no field of mjData that has a fixed size: it cannot be recorded")
        return tuple(field.shape[: field.ndim]), _native.DTYPES.get(field.type, f"V{field.itemsize}")

    def _state_size(self, spec: int) -> int:
        size = C.sn_batchStateSize(self._handle.pointer, spec)
        if size < 0:
            raise ValueError(f"spec {spec:#x} has bits that mjtState does not")
        return size

    def _selected(self, ids: ArrayLike | None) -> int:
        return self.nsim if ids is None else int(np.count_nonzero(ids)) if np.asarray(ids).dtype == bool else np.size(ids)

    def _selection(self, ids: ArrayLike | None) -> tuple[Any, Any]:
        """The argument for the library, and what has to stay alive during the call."""
        if ids is None:
            return None, None
        ids = np.asarray(ids)
        if ids.dtype == bool:
            if ids.shape != (self.nsim,):
                raise ValueError(f"a mask has {self.nsim} elements, one per simulation, not {ids.shape}")
            mask = np.ascontiguousarray(ids, dtype=np.uint8)
            return ctypes.byref(Selection(mask.ctypes.data, None, self.nsim)), mask
        index = _ints(ids, "ids", None)
        return ctypes.byref(Selection(None, index.ctypes.data, len(index))), index

    def _call(self, function: Any, ids: ArrayLike | None, *more: Any, select: bool = True) -> None:
        handle = self._alive()
        selection, kept = self._selection(ids)
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread is inside this batch: one call at a time")
        try:
            result = function(handle.pointer, *((selection,) if select else ()), *more)
        finally:
            self._lock.release()
        del kept
        if result == _native.ERROR:
            raise self._bridge.take() or self._failure()

    def _failure(self) -> Exception:
        complaint = self.error(-1)
        failed = np.flatnonzero(self.status == _native.ERROR)
        return SimulationError(failed, self.error(int(failed[0]))) if len(failed) else ValueError(complaint)


def _choice(table: Mapping[Any, int], value: Any, name: str) -> int:
    if value not in table:
        raise ValueError(f"{name} is {' or '.join(map(repr, table))}, not {value!r}")
    return table[value]


def _count(value: Any, name: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is a number of things, not {value!r}") from None
    if not 0 <= number < 2**31:
        raise ValueError(f"{name} is a number of things, not {value!r}")
    return number


def _ints(values: ArrayLike, name: str, length: int | None) -> np.ndarray:
    given = np.asarray(values)
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"{name} are integers, not {given.dtype}")
    if given.ndim != 1 or (length is not None and len(given) != length):
        raise ValueError(f"{name} is a list{f' of {length}' if length is not None else ''}, not of shape {given.shape}")
    return np.ascontiguousarray(given, dtype=np.int32)


def _numbers(values: ArrayLike, name: str, shape: tuple[int, ...]) -> np.ndarray:
    given = np.asarray(values)
    if given.dtype.kind not in "biuf":
        raise TypeError(f"{name} is made of numbers, not of {given.dtype}")
    if given.shape != shape:
        raise ValueError(f"{name} has shape {shape}, not {given.shape}")
    return np.ascontiguousarray(given, dtype=np.float64)
