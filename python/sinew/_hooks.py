"""Python functions where the library calls C functions: hooks, and what a batch does at resets and at ends of episodes."""

import ctypes
from _ctypes import CFuncPtr
from collections.abc import Callable
from ctypes import c_char_p, c_double, c_int, c_void_p
from typing import Any

import numpy as np

from sinew._model import Model
from sinew._native import OK, C, Field, Stays, array, text

# result and arguments between the data and the context
_PROTOTYPES = {
    "passive": (None, ()), "control": (None, ()), "sensor": (None, (c_int,)), "contactfilter": (c_int, (c_int, c_int)),
    "act_dyn": (c_double, (c_int,)), "act_gain": (c_double, (c_int,)), "act_bias": (c_double, (c_int,)), "act_vel": (c_double, (c_int,)),
    "reset": (None, (c_int, c_void_p)), "done": (c_int, (c_int,)),
}


class Data(Stays):
    """The mjData of the simulation that a hook is called for.

    Attributes are its fields, arrays over the library's own memory: `data.qpos`, `data.ctrl`, `data.time[()]`; what is written to
    them is what the simulation goes on with. `data.sim` is the number of the simulation. Other simulations use the same memory
    later: copy what you want to keep.
    """

    def __init__(self, pointer: int, model: Model, owner: object) -> None:
        self._pointer, self._model, self._owner = pointer, model, owner

    @property
    def sim(self) -> int:
        """Which simulation of the batch this is."""
        return C.sn_batchCurrent()

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        field = Field()
        if C.sn_dataField(self._model._pointer, self._pointer, text(name, "the name of a field"), ctypes.byref(field)) != OK:
            raise AttributeError(f"mjData has no field {name!r} of fixed size")
        field.writable = 1
        values = array(field, self._owner)
        self.__dict__[name] = values  # it stays where it is
        return values

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            getattr(self, name)[...] = value


class Random(Stays):
    """Random numbers for a reset: a stream that belongs to the simulation and its episode, whatever the threads do."""

    def __init__(self, pointer: int) -> None:
        self._pointer = pointer

    def uniform(self, low: float = 0.0, high: float = 1.0, size: int | tuple[int, ...] | None = None) -> Any:
        """Uniform in [low, high)."""
        return self._draw(size, C.sn_randomUniform, low, high)

    def normal(self, size: int | tuple[int, ...] | None = None) -> Any:
        """Normal with mean 0 and deviation 1."""
        return self._draw(size, C.sn_randomNormal)

    def _draw(self, size: Any, function: Any, *more: Any) -> Any:
        if not self._pointer:
            raise RuntimeError("these random numbers belong to a reset that is over")
        if size is None:
            return function(self._pointer, *more)
        return np.array([function(self._pointer, *more) for _ in range(int(np.prod(size)))]).reshape(size)


class Bridge(Stays):
    """C functions for the Python functions of one batch, and the exceptions that they raised."""

    def __init__(self) -> None:
        self.owner: object = None  # what keeps the memory of the simulations
        self.raised: list[BaseException] = []
        self._kept: list[Any] = []
        self._seen: dict[tuple[int, int], tuple[Model, Data]] = {}

    def address(self, name: str, function: Any) -> int | None:
        """The address of a C function that does the job `name`: of the one that is given, or of one that calls the Python function."""
        found = address(function)
        if found is not None or function is None:
            return found
        if not callable(function):
            raise TypeError(f"{name} is a Python function, or a C function as an address or a ctypes, cffi or numba pointer, "
                            f"not {type(function).__name__}")
        result, arguments = _PROTOTYPES[name]
        made = ctypes.CFUNCTYPE(result, c_void_p, c_void_p, *arguments, c_void_p)(self._call(name, function, result))
        self._kept.append(made)
        return ctypes.cast(made, c_void_p).value

    def take(self) -> BaseException | None:
        """The first exception since the last look."""
        error = self.raised[0] if self.raised else None
        self.raised.clear()
        return error

    def _call(self, name: str, function: Callable, result: Any) -> Callable:
        def call(model, data, *more):  # the last argument is the context
            random = None
            try:
                values = list(more[:-1])
                if name == "reset":
                    values[-1] = random = Random(values[-1])
                answer = function(*self._views(model, data), *values)
                return None if result is None else int(bool(answer)) if result is c_int else float(answer)
            except BaseException as error:  # none may leave through C
                if hasattr(error, "add_note"):
                    error.add_note(f"in the function {name!r} of simulation {C.sn_batchCurrent()}")
                self.raised.append(error)
                C.sn_batchFail(f"{name}: {type(error).__name__}: {error}".encode())
                return None if result is None else 0
            finally:
                if random:
                    random._pointer = None
        return call

    def _views(self, model: int, data: int) -> tuple[Model, Data]:
        if (model, data) not in self._seen:
            view = Model._lent(model, self.owner)
            self._seen[model, data] = view, Data(data, view, self.owner)
        return self._seen[model, data]


def address(function: Any) -> int | None:
    """The address of a C function or object: an integer, or what ctypes, cffi and numba have. None: it is no such thing."""
    if function is None or isinstance(function, int) and not isinstance(function, bool):
        return function
    if isinstance(function, (CFuncPtr, c_void_p, c_char_p)):
        return ctypes.cast(function, c_void_p).value
    number = getattr(function, "address", None)  # numba.cfunc
    if isinstance(number, int):
        return number
    if type(function).__module__ == "_cffi_backend":
        import cffi
        return int(cffi.FFI().cast("uintptr_t", function))
    return None
