"""Many simulations at once, as arrays. Names follow `mujoco.batch` of newer releases (`sinew.batch`)."""

import ctypes
import operator
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sinew import _dropin, _fields, _native, _queries
from sinew._device import DeviceArray
from sinew._hooks import Bridge, address
from sinew._model import Model, is_mujoco
from sinew._named import Named
from sinew._native import C, Field, Hooks, Options, Rollout, Selection, Stays, array, text

NMESSAGE = 1000
STATE_ALL = (1 << 14) - 1  # every bit of mjtState
STATE_CTRL = 1 << 6
STATE_INTEGRATION = STATE_ALL
STAGE_NONE, STAGE_POS, STAGE_VEL, STAGE_ACC = range(4)  # mjtStage
ENABLE_SLEEP = 1 << 4
AUTORESET = {None: 0, "same": 1, "next": 2}
DEVICES = {"cpu": _native.CPU, "cuda": _native.CUDA}
REALS = {"float64": 0, "float32": 1}
BUSY = "another thread is inside this batch, or a function that it calls: one call at a time"


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


class _Handle(Stays):
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
    `batch.joint("hip").qpos` is the part of one element; so `actuator`, `body`, `camera`, `equality`, `geom`, `keyframe`, `light`, `material`,
    `numeric`, `pair`, `sensor`, `site` and `tendon`.

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
    autoreset_key: to which keyframe, by number or name; -1 for the initial state.
    """

    def __init__(self, model: Any, nsim: int, nthread: int = 0, persistent: bool = False, *, which: ArrayLike | None = None,
                 device: str = "cpu", real: str = "float64", stream: int | None = None, seed: int = 0, hooks: Mapping[str, Any] | None = None, reset: Any = None, done: Any = None,
                 context: Any = None, autoreset: str | None = None, autoreset_key: int | str = -1) -> None:
        self._lock = threading.Lock()
        self._arrays: dict[tuple, Any] = {}
        models = list(model) if isinstance(model, (list, tuple)) else [model]
        object.__setattr__(self, "models", [m if isinstance(m, Model) else Model(m) for m in models])
        object.__setattr__(self, "nsim", _count(nsim, "nsim"))
        object.__setattr__(self, "device", device)
        self._stream, self._gpu = stream, 0
        self._follows = False  # the library has expanded fields by itself
        self._differs = False  # simulations may have values of their own for fields of the model
        self._persistent = bool(persistent)
        options = self._options(device, nthread, persistent, seed, autoreset, autoreset_key)
        options.real = _choice(REALS, real, "real")
        options.stream = None if stream is None else _count(stream, "stream", 0, 2**64)
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

    @property
    def persistent(self) -> bool:
        """Whether every simulation has an mjData of its own: because that was asked for, or because the model has plugins or sleeps."""
        return self._persistent or any(m.nplugin or int(m.field("opt.enableflags")) & ENABLE_SLEEP for m in self.models)

    @property
    def nstate(self) -> int:
        """Numbers in a row of `state`."""
        return self._state_size(STATE_INTEGRATION)

    @property
    def state(self) -> np.ndarray:
        """The states of all simulations as rows (mjSTATE_INTEGRATION), a copy; assigning rows is `set_state`."""
        return self.get_state(spec=STATE_INTEGRATION)

    @state.setter
    def state(self, rows: ArrayLike) -> None:
        self.set_state(rows, spec=STATE_INTEGRATION)

    # ------------------------------------------------------------ fields

    def bind(self, name: str, model: int = 0) -> np.ndarray:
        """The field of mjData over the simulations of a model; the same array each time."""
        return self._array("field", C.sn_batchField, model, name)

    def list(self, name: str, capacity: int, model: int = 0) -> np.ndarray:
        """Rows of varying number: "contact.pos", "efc_force" ...; at most `capacity` per simulation, the rest zeros.

        `ncon` and `nefc` tell how many there were.
        """
        rows = operator.index(capacity)
        if not 1 <= rows < 2**31:
            raise ValueError(f"a list needs room for at least one row, and for fewer than 2147483648, not for {rows}")
        return self._array(f"list{rows}", C.sn_batchList, model, name, rows)

    def expand(self, name: str, model: int = 0) -> np.ndarray:
        """Gives every simulation values of its own for a field of the model ("body_mass", "opt.timestep"), and returns them."""
        values = self._array("model", C.sn_batchExpand, model, name)
        self._differs = True
        return values

    def expanded(self, name: str, model: int = 0) -> np.ndarray | None:
        """The values that simulations have of their own for a field of the model, to read; None where all have the model's.

        After `set_const` and `set_models`, which expand what follows and what differs, those of any field.
        """
        if name not in _fields.model_fields():
            raise ValueError(f"{name!r} is no field of mjModel that can differ between simulations{_fields.hint(name)}")
        values = self._own(name, model)
        if isinstance(values, np.ndarray):
            values = values.view()
            values.flags.writeable = False
        return values

    def set_models(self, models: Any, ids: ArrayLike | None = None) -> None:
        """Gives each selected simulation the values of a model of its own, made of the same parts: what differs is expanded.

        `models` has one model per simulation, each what `sinew.Model` takes; or it is one model for all, or None for the values that they
        began with. State stays as it is.
        """
        chosen = _queries.selected(self, ids)
        if models is None:
            kinds = self._kinds()
            models = [self.models[kinds[sim]] for sim in chosen]
        elif not isinstance(models, (list, tuple)):
            models = [models if isinstance(models, Model) else Model(models)] * len(chosen)
        if len(models) != len(chosen):
            raise ValueError(f"there are {len(chosen)} simulations and {len(models)} models: each gets one")
        self._differs = self._follows = True
        for sim, model in zip(chosen, models):
            own = model if isinstance(model, Model) else Model(model)
            self._call(C.sn_batchSetModel, None, int(sim), own._pointer, select=False)

    def set_const(self, ids: ArrayLike | None = None) -> None:
        """Brings up to date what the model derives from expanded fields, as mj_setConst does."""
        self._differs = self._follows = True
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
        return self._message(self._one(sim))

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.bind(name)
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or name == "state":
            object.__setattr__(self, name, value)
            return
        if name in self.__dict__ or hasattr(type(self), name):
            raise AttributeError(f"{name!r} of a batch cannot be assigned")
        field = getattr(self, name)
        if not (field.writable if isinstance(field, DeviceArray) else field.flags.writeable):
            raise ValueError(f"{name!r} is an output: what is written would be lost with the next call")
        field[...] = value

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *_fields.data_fields()})

    actuator, body, camera, equality, geom = map(_named, ("actuator", "body", "camera", "equality", "geom"))
    joint, keyframe, light, material, numeric = map(_named, ("joint", "keyframe", "light", "material", "numeric"))
    pair, sensor, site, tendon = map(_named, ("pair", "sensor", "site", "tendon"))

    # ------------------------------------------------------------ calls

    def step(self, ids: ArrayLike | None = None, nstep: int = 1, stage: int = STAGE_NONE) -> None:
        """mj_step, `nstep` times. `ids`: indices or a boolean mask, None for all simulations.

        Derived fields then belong to the state before the last step, as with mj_step. `stage`, an mjtStage, has them computed for the new
        state: up to positions or velocities, which leaves the next step as it would have been, or with accelerations, as `forward` does.
        What comes after the stage is computed too.
        """
        stage, count = _stage(stage), _count(nstep, "nstep", 1)
        try:
            self._call(C.sn_batchStep, ids, count)
        except SimulationError as error:
            rest = np.setdiff1d(_queries.selected(self, ids), error.ids)
            self._compute(rest, stage)
            raise
        self._compute(ids, stage)

    def forward(self, ids: ArrayLike | None = None, stage: int = STAGE_ACC) -> None:
        """mj_forward: derived fields belong to the present state. `stage` as in `step`."""
        self._compute(ids, _stage(stage))

    def reset(self, ids: ArrayLike | None = None, keyframe: int | str | ArrayLike = -1, stage: int = STAGE_ACC) -> None:
        """The initial state, or a keyframe by number or name; then the function `reset`, where there is one, then `forward`.

        `keyframe` may have a number for each simulation of the call. `stage` NONE (0) leaves `forward` out, for those who write to the
        state next.
        """
        stage = _stage(stage)
        if isinstance(keyframe, str):
            keyframe = self.model.id("key", keyframe)
        if np.ndim(keyframe):
            sims = _queries.selected(self, ids)
            keys = _queries.integers(keyframe, (len(sims),), -1, max(m.nkey for m in self.models), "keyframe")
            for key in np.unique(keys):
                self._call(C.sn_batchReset, sims[keys == key], int(key))
        else:
            self._call(C.sn_batchReset, ids, int(_queries.integers(keyframe, (), -2**31, 2**31, "keyframe")))
        self._compute(ids, stage)

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

    def rollout(self, nstep: int | None = None, control: ArrayLike | None = None, control_spec: int = STATE_CTRL,
                record: Sequence[str | int] = ("qpos", "qvel"), ids: ArrayLike | None = None, out: Mapping[str | int, np.ndarray] | None = None, *,
                substeps: int = 1) -> dict[Any, np.ndarray]:
        """Steps and records: arrays of shape (simulations, nstep, ...), by name of the field.

        control: (simulations, nstep, nu), or a shape that serves for it, is set before the substeps of each record; its first dimensions
            say how many records there are where `nstep` does not. `control_spec`: which inputs it holds, bits of mjtState.
        record: names of fields of mjData, or bits of mjtState for parts of the state as rows.
        out: arrays to record into, by item of `record`; for the others new ones are made.
        """
        rows = self._selected(ids)
        nstep = _records(nstep, control)
        if isinstance(record, str):
            raise TypeError(f"record is a list of names, not one name: [{record!r}]")
        substeps = _count(substeps, "substeps", 1)
        if out is not None and not isinstance(out, Mapping):
            raise TypeError(f"out has arrays by item of record, not {type(out).__name__}")
        if unknown := set(out or {}) - set(record):
            raise ValueError(f"out has arrays by item of record: there is no {', '.join(map(repr, unknown))} in {list(record)}")
        if control is not None:
            control = _serving(control, "control", (rows, nstep, self._state_size(control_spec)))
        # parts of the state are recorded field by field
        names = list(dict.fromkeys(name for item in record for name in ([item] if isinstance(item, str) else self._parts(item))))
        made = {name: self._place(name, rows, nstep, out) for name in names}
        places = {name: array.ctypes.data for name, array in made.items()}
        plan = Rollout(nstep, substeps, control_spec if control is not None else 0, control.ctypes.data if control is not None else None,
                       len(names), (ctypes.c_char_p * max(len(names), 1))(*(name.encode() for name in names)),
                       (ctypes.c_void_p * max(len(names), 1))(*places.values()))
        self._call(C.sn_batchRollout, ids, ctypes.byref(plan))
        return {item: made[item] if isinstance(item, str) else self._joined(item, made, (rows, nstep), out) for item in record}

    def jac(self, body: ArrayLike, point: ArrayLike, ids: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians of a point of the world that moves with a body, for positions and for rotations: (simulations, 3, nv) each.

        `body` is a name, a number or one number per simulation, `point` one place or (simulations, 3). They are those of the present state; nothing changes.
        """
        return _queries.jac(self, body, point, ids)

    def ray(self, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None = None, flg_static: bool = True, bodyexclude: ArrayLike = -1,
            ids: ArrayLike | None = None, normal: bool = False) -> tuple[np.ndarray, ...]:
        """What rays meet in the present state, as mj_ray: distances and geoms, (simulations, rays) each, -1 for nothing.

        `pnt` and `vec` are one ray (3,), rays for all (rays, 3) or (simulations, rays, 3). `normal` adds the normals of what they met.
        """
        distance, geom, normals = _queries.ray(self, pnt, vec, geomgroup, flg_static, bodyexclude, ids)
        return (distance, geom, normals) if normal else (distance, geom)

    def get_model(self, sim: int, model: Any = None) -> Any:
        """A copy of a simulation's model with its expanded values: a `Model`, whose `to_mujoco` makes a `mujoco.MjModel`.

        With `model`, a `mujoco.MjModel` of the same sizes, the values are written into it, and it is returned.
        """
        pointer = C.sn_batchGetModel(self._alive().pointer, self._one(sim))
        if not pointer:
            raise RuntimeError(BUSY)
        own = Model._own(pointer)
        if model is None:
            return own
        if not is_mujoco(model, "MjModel"):
            raise TypeError(f"model is a mujoco.MjModel, not {type(model).__name__}")
        for name in sorted(_fields.model_fields()):
            place, values = (model.opt, name[4:]) if name.startswith("opt.") else (model, name), own.field(name)
            there = getattr(*place)
            if np.shape(there) not in (values.shape, (values.size,)) and np.size(there) != values.size:
                raise ValueError(f"model is not made like the model of simulation {sim}: {name} has shape {np.shape(there)}, not {values.shape}")
            if isinstance(there, np.ndarray):
                there[...] = values.reshape(there.shape)
            else:
                setattr(*place, values.item())
        return model

    def get_data(self, sim: int, data: Any = None) -> Any:
        """Copies a simulation's state into a `mujoco.MjData` that was made for its model, or into a new one, to draw or examine it."""
        if data is None:
            import mujoco
            data = mujoco.MjData(self.get_model(sim).to_mujoco())
        if not is_mujoco(data, "MjData"):
            raise TypeError(f"data is a mujoco.MjData, not {type(data).__name__}")
        if _dropin.on_sinew():
            self._call(C.sn_batchGetData, None, int(_ints([sim], "sim", 1)[0]), data._address, select=False)
            return data
        # data of the reference: the state goes through its own function
        import mujoco
        state = self.get_state([sim])[0]
        size = C.mj_stateSize(self.models[self._kinds()[sim]]._pointer, STATE_ALL)
        if mujoco.mj_stateSize(data.model, STATE_ALL) != size:
            raise ValueError(f"data was not made for the model of simulation {sim}")
        mujoco.mj_setState(data.model, data, state[:size], STATE_ALL)
        return data

    def __len__(self) -> int:
        return self.nsim

    def __repr__(self) -> str:
        return f"<sinew.Batch: {self.nsim} simulations, {self.nthread} threads>"

    def __reduce__(self) -> tuple:
        raise TypeError("a batch lives in one process: make one in each")

    # ------------------------------------------------------------ how

    def _options(self, device: str, nthread: int, persistent: bool, seed: int, autoreset: str | None, autoreset_key: int | str) -> Options:
        options = Options()
        C.sn_defaultBatchOptions(ctypes.byref(options))
        options.device = _choice(DEVICES, device, "device")
        options.nthread, options.persistent, options.seed = _count(nthread, "nthread"), bool(persistent), _count(seed, "seed", 0, 2**64)
        options.autoreset = _choice(AUTORESET, autoreset, "autoreset")
        key = self.model.id("key", autoreset_key) if isinstance(autoreset_key, str) else autoreset_key
        options.autoreset_key = _count(key, "autoreset_key", -1)
        return options

    def _set_functions(self, options: Options, hooks: Mapping[str, Any], reset: Any, done: Any, context: Any) -> None:
        if not isinstance(hooks, Mapping):
            raise TypeError(f"hooks are functions by name, {{'control': function}}, not {type(hooks).__name__}")
        unknown = set(hooks) - set(Hooks.NAMES)
        if unknown:
            raise ValueError(f"no such hook: {', '.join(sorted(map(str, unknown)))}; there are {', '.join(Hooks.NAMES)}")
        if context is not None and address(context) is None:
            raise TypeError(f"context is an address or a ctypes or cffi pointer for C functions, not {type(context).__name__}")
        self._bridge = Bridge()
        table = Hooks(address(context), *(self._bridge.address(name, hooks.get(name)) for name in Hooks.NAMES))
        self._kept = (table, hooks, reset, done, context)  # what the library calls must outlive the batch
        if hooks:
            options.hooks = ctypes.pointer(table)
        options.context = address(context)
        options.reset, options.done = self._bridge.address("reset", reset), self._bridge.address("done", done)

    def _kinds(self) -> np.ndarray:
        """Which of the models each simulation is of."""
        return self._array("field", C.sn_batchField, -1, "model") if len(self.models) > 1 else np.zeros(self.nsim, np.int32)

    def _own(self, name: str, model: int = 0) -> Any:
        """The values of a field of the model that simulations have of their own, or None."""
        if self._follows and ("model", model, name) not in self._arrays and name in _fields.model_fields():
            return self.expand(name, model)
        return self._arrays.get(("model", model, name))

    def _compute(self, ids: ArrayLike | None, stage: int) -> None:
        """Derived fields of the present state; the start of the solver's next search changes with accelerations only."""
        if stage in (STAGE_NONE, STAGE_ACC):
            if stage == STAGE_ACC:
                self._call(C.sn_batchForward, ids)
            return
        starts = [self.bind("qacc_warmstart", k) for k in range(len(self.models))]
        before = [start.numpy() if isinstance(start, DeviceArray) else start.copy() for start in starts]
        self._call(C.sn_batchForward, ids)
        for start, values in zip(starts, before):
            start[...] = values

    def _parts(self, spec: int) -> Sequence[str]:
        """Fields that the bits of mjtState are made of, in the order of a row."""
        self._state_size(operator.index(spec))
        return [name for bit, name in enumerate(_fields.STATE) if spec >> bit & 1]

    def _place(self, item: Any, rows: int, nstep: int, out: Mapping[Any, np.ndarray] | None) -> np.ndarray:
        """Where a field is recorded."""
        shape, dtype = self._template(item)
        return _room(item, (rows, nstep, *shape), np.dtype(dtype), out)

    def _joined(self, spec: int, made: Mapping[str, np.ndarray], first: tuple[int, int], out: Mapping[Any, np.ndarray] | None) -> np.ndarray:
        """Recorded fields as rows of a state."""
        row = _room(spec, (*first, self._state_size(spec)), np.dtype(float), out)
        if parts := [made[name].reshape(*first, -1) for name in self._parts(spec)]:
            np.concatenate(parts, axis=2, out=row)
        return row

    def _alive(self) -> _Handle:
        if self._handle.process != os.getpid():
            raise RuntimeError("this batch was made before the process was forked, and its threads are the parent's: make a new one here")
        return self._handle

    def _array(self, kind: str, function: Any, model: int, name: str, *more: Any) -> np.ndarray:
        if not isinstance(name, str):
            raise TypeError(f"a field is asked for by its name, not by {type(name).__name__}")
        if not -1 <= operator.index(model) < len(self.models):
            raise ValueError(f"model {model} is none of {len(self.models)}")
        key = (kind, model, name)
        if key not in self._arrays:
            field = Field()
            if function(self._alive().pointer, model, text(name, "the name of a field"), *more, ctypes.byref(field)) == _native.ERROR:
                raise self._refused(kind, name)
            self._arrays[key] = DeviceArray(field, self) if field.device == _native.CUDA else array(field, self._handle)
        return self._arrays[key]

    def _refused(self, kind: str, name: str) -> Exception:
        """Why there is no such field."""
        complaint = self._message(-1)
        if not complaint:
            return RuntimeError(BUSY)
        known = {"field": _fields.data_fields, "model": _fields.all_model_fields}.get(kind)
        return ValueError(complaint + (_fields.hint(name) if known and name not in known() else ""))

    def _template(self, name: str) -> tuple[tuple[int, ...], Any]:
        """Shape and type of a recorded field of one simulation; recording does not bind it."""
        if name == "done":
            return (), np.uint8
        field = Field()
        if C.sn_dataField(self.model._pointer, None, text(name, "the name of a field"), ctypes.byref(field)) != _native.OK:
            raise ValueError(f"{name!r} is no field of mjData that has a fixed size: it cannot be recorded{_fields.hint(name)}")
        return tuple(field.shape[: field.ndim]), _native.DTYPES.get(field.type, f"V{field.itemsize}")

    def _state_size(self, spec: int) -> int:
        bits = operator.index(spec)
        size = C.sn_batchStateSize(self._handle.pointer, bits) if 0 <= bits < 2**31 else -1
        if size < 0:
            raise ValueError(f"spec {bits:#x} has bits that mjtState does not")
        return size

    def _one(self, sim: Any) -> int:
        """The number of a simulation."""
        number = operator.index(sim)
        if not 0 <= number < self.nsim:
            raise IndexError(f"there is no simulation {sim}: the batch has {self.nsim}")
        return number

    def _message(self, sim: int) -> str:
        return C.sn_batchMessage(self._handle.pointer, sim).decode(errors="replace")

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
            raise RuntimeError(BUSY)
        try:
            result = function(handle.pointer, *((selection,) if select else ()), *more)
        finally:
            self._lock.release()
        del kept
        if result == _native.ERROR:
            raise self._bridge.take() or self._failure()

    def _failure(self) -> Exception:
        complaint = self._message(-1)
        failed = np.flatnonzero(self.status == _native.ERROR)
        return SimulationError(failed, self._message(int(failed[0]))) if len(failed) else ValueError(complaint)


def _choice(table: Mapping[Any, int], value: Any, name: str) -> int:
    if not (value is None or isinstance(value, str)) or value not in table:
        raise ValueError(f"{name} is {' or '.join(map(repr, table))}, not {value!r}")
    return table[value]


def _count(value: Any, name: str, least: int = 0, end: int = 2**31) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is a whole number, not {value!r}") from None
    if not least <= number < end:
        raise ValueError(f"{name} is a whole number from {least} to {end - 1}, not {value!r}")
    return number


def _stage(value: Any) -> int:
    stage = int(value) if isinstance(value, (int, np.integer)) or hasattr(value, "__int__") and not isinstance(value, (float, np.floating)) else -1
    if not STAGE_NONE <= stage <= STAGE_ACC:
        raise ValueError(f"stage is an mjtStage, 0 to {STAGE_ACC}, not {value!r}")
    return stage


def _records(nstep: Any, control: ArrayLike | None) -> int:
    """How many records a rollout makes."""
    if nstep is None and control is None:
        raise ValueError("without control, nstep says how many records there are")
    if nstep is None:
        if np.ndim(control) != 3:
            raise ValueError(f"control has shape (simulations, nstep, numbers), not {np.shape(control)}; nstep says how many records there are otherwise")
        nstep = np.shape(control)[1]
    if np.ndim(nstep):
        raise TypeError("nstep is a number; controls are given by name: rollout(control=...)")
    return _count(nstep, "nstep")


def _room(item: Any, shape: tuple[int, ...], dtype: np.dtype, out: Mapping[Any, np.ndarray] | None) -> np.ndarray:
    """The array that was given for an item of a rollout, or a new one."""
    given = (out or {}).get(item)
    if given is None:
        return np.zeros(shape, dtype)
    good = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == dtype and given.flags.c_contiguous and given.flags.writeable
    if not good:
        raise ValueError(f"out[{item!r}] is a contiguous {dtype} array of shape {shape} that can be written to")
    return given


def _serving(values: ArrayLike, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of a shape, or of one that can be repeated to it."""
    given = np.asarray(values)
    _numbers(given, name, given.shape)
    try:
        given = np.broadcast_to(given, shape)
    except ValueError:
        raise ValueError(f"{name} has shape {shape}, not {given.shape}") from None
    return _numbers(given, name, shape)


def _ints(values: ArrayLike, name: str, length: int | None) -> np.ndarray:
    given = np.asarray(values)
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"{name} are integers, not {given.dtype}")
    if given.ndim != 1 or (length is not None and len(given) != length):
        raise ValueError(f"{name} is a list{f' of {length}' if length is not None else ''}, not of shape {given.shape}")
    outside = given[(given < -2**31) | (given >= 2**31)]
    if outside.size:
        raise ValueError(f"{name} has {outside[0]}, which no simulation has for its number")
    return np.ascontiguousarray(given, dtype=np.int32)


def _numbers(values: ArrayLike, name: str, shape: tuple[int, ...]) -> np.ndarray:
    given = np.asarray(values)
    if given.dtype.kind not in "biuf":
        raise TypeError(f"{name} is made of numbers, not of {given.dtype}")
    if given.shape != shape:
        raise ValueError(f"{name} has shape {shape}, not {given.shape}")
    return np.ascontiguousarray(given, dtype=np.float64)
