"""Models: loaded from whatever holds one, with their fields as arrays."""

import ctypes
import difflib
import os
import pathlib
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sinew._native import OK, C, Field, WarningHandler, array, text

# mjtObj of the kinds of elements that have names
OBJECTS = {"body": 1, "joint": 3, "geom": 5, "site": 6, "camera": 7, "light": 8, "flex": 9, "mesh": 10, "skin": 11, "hfield": 12,
           "texture": 13, "material": 14, "pair": 15, "exclude": 16, "equality": 17, "tendon": 18, "actuator": 19, "sensor": 20,
           "numeric": 21, "text": 22, "tuple": 23, "key": 24, "plugin": 25}
SECTIONS = ("opt", "stat")  # structs within mjModel whose members are fields


class Section:
    """A struct within the model: `model.opt.timestep` is a number, `model.opt.gravity` an array; both can be assigned."""

    def __init__(self, model: "Model", name: str) -> None:
        self._model, self._name = model, name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self._model.field(f"{self._name}.{name}")
        return value.item() if value.ndim == 0 else value

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self._model._assign(f"{self._name}.{name}", value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(n[len(self._name) + 1:] for n in _names() if n.startswith(self._name + "."))})

    def __repr__(self) -> str:
        return f"<{self._name} of {self._model!r}>"


class Model:
    """A compiled model.

    `source` is the path of an MJCF, URDF or MJB file, a string of MJCF or URDF, the bytes of an MJB, a `mujoco.MjModel` or
    another `Model`; the last two are copied. `assets` holds files that the model refers to, by name.

    Fields of the C struct are attributes: `model.nq` is a number, `model.body_mass` an array over the model's own memory, which can be
    written in place or assigned; `model.opt.timestep` is a number that can be assigned, `model.field("opt.timestep")` an array of no
    dimensions where it lies. What derives from them (inverse weights ...) follows by `Batch.set_const`.
    """

    def __init__(self, source: "str | os.PathLike | bytes | Model | Any", assets: Mapping[str, bytes] | None = None) -> None:
        self._pointer: int | None = None
        self._lender: object = None
        self._pointer = _load(source, assets or {})

    def __del__(self) -> None:
        if self._pointer and not self._lender:
            C.mj_deleteModel(self._pointer)

    @classmethod
    def _own(cls, pointer: int) -> "Model":
        """A model that the library handed over."""
        model = cls.__new__(cls)
        model._pointer, model._lender = pointer, None
        return model

    @classmethod
    def _lent(cls, pointer: int, lender: object) -> "Model":
        """A model that belongs to somebody else, who lives at least as long."""
        model = cls._own(pointer)
        model._lender = lender
        return model

    def field(self, name: str) -> np.ndarray:
        """A size, option, statistic or array of the model, where it lies in it: what is written is the model's."""
        field = Field()
        if C.sn_modelField(self._pointer, text(name, "the name of a field"), ctypes.byref(field)) != OK:
            raise AttributeError(f"mjModel has no field {name!r}{_meant(name)}")
        return array(field, self)

    def _assign(self, name: str, value: Any) -> None:
        field = self.field(name)
        if not field.flags.writeable:
            raise AttributeError(f"{name!r} is what the model is made of: it cannot be changed")
        field[...] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in SECTIONS:
            return Section(self, name)
        value = self.field(name)
        return int(value) if value.ndim == 0 and value.dtype == np.int64 else value

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self._assign(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name.split(".")[0] for name in _names())})

    def id(self, kind: str, name: str | int) -> int:
        """The number of a named element of a kind ("joint", "body" ...); a number is checked and returned."""
        if kind not in OBJECTS:
            raise KeyError(f"{kind!r} is no kind of element: {', '.join(OBJECTS)}")
        if isinstance(name, (int, np.integer)):
            if not 0 <= name < self._count(kind):
                raise KeyError(f"there is no {kind} {name}: the model has {self._count(kind)}")
            return int(name)
        found = C.mj_name2id(self._pointer, OBJECTS[kind], text(name, f"a {kind}, if it is no number,"))
        if found < 0:
            names = [self.name(kind, i) for i in range(self._count(kind))]
            raise KeyError(f"there is no {kind} {name!r}: {', '.join(n for n in names if n) or 'none has a name'}")
        return found

    def name(self, kind: str, number: int) -> str:
        """The name of an element; empty where it has none."""
        if isinstance(number, str):
            raise TypeError(f"a {kind} has a number, which {number!r} is not")
        number = self.id(kind, number)
        return (C.mj_id2name(self._pointer, OBJECTS[kind], number) or b"").decode(errors="replace")

    def _count(self, kind: str) -> int:
        size = {"joint": "njnt", "camera": "ncam", "texture": "ntex", "material": "nmat", "pair": "npair", "equality": "neq",
                "actuator": "nu"}.get(kind, f"n{kind}")
        return getattr(self, size)

    def to_bytes(self) -> bytes:
        """The model as an MJB."""
        size = C.mj_sizeModel(self._pointer)
        buffer = ctypes.create_string_buffer(size)
        C.mj_saveModel(self._pointer, None, buffer, size)
        return buffer.raw

    def to_mujoco(self) -> Any:
        """A `mujoco.MjModel` with the same values, of whichever library the package runs on."""
        import mujoco
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.mjb"
            path.write_bytes(self.to_bytes())
            return mujoco.MjModel.from_binary_path(str(path))

    def __reduce__(self) -> tuple:
        return Model, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"<sinew.Model: nq {self.nq}, nv {self.nv}, nu {self.nu}, {self.nbody} bodies>"


def load(source: str | os.PathLike | bytes | Any, assets: Mapping[str, bytes] | None = None) -> Model:
    """The same as `Model(source, assets)`. Errors are `ValueError` with file, line and element."""
    return Model(source, assets)


def is_mujoco(value: Any, kind: str) -> bool:
    """Whether a value is the `mujoco` package's "MjModel", "MjData" ..., whichever library it runs on."""
    return any(c.__name__ == kind and c.__module__.split(".")[0] == "mujoco" for c in type(value).__mro__)


def _names() -> list[str]:
    from sinew import _fields  # which needs models itself
    return _fields.all_model_fields()


def _meant(name: str) -> str:
    """What somebody may have meant who asked for a field that there is not."""
    nested = [f for f in _names() if f.endswith("." + name)]
    near = nested or difflib.get_close_matches(name, _names(), n=3)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _load(source: Any, assets: Mapping[str, bytes]) -> int:
    if isinstance(source, Model) or is_mujoco(source, "MjModel"):
        return C.mj_copyModel(None, source._pointer if isinstance(source, Model) else source._address)
    if is_mujoco(source, "MjSpec") or is_mujoco(source, "MjData"):
        raise TypeError(f"an {type(source).__name__} is no model: {'spec.compile()' if is_mujoco(source, 'MjSpec') else 'data.model'} is one")
    if isinstance(source, (bytes, bytearray)):
        return _load_binary("these bytes", lambda: C.mj_loadModelBuffer(bytes(source), len(source)))
    if isinstance(source, str) and "<" in source:
        return _load_text(source, assets)
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"a model is a path, a string of XML, the bytes of an MJB or a mujoco.MjModel, not {type(source).__name__}")
    if not os.fspath(source):
        raise FileNotFoundError("the path of the model is empty")
    return _load_file(pathlib.Path(source), assets)


def _load_file(path: pathlib.Path, assets: Mapping[str, bytes]) -> int:
    if not path.is_file():
        raise FileNotFoundError(f"there is no model file {str(path)!r}{': this is a folder' if _is_folder(path) else ''}")
    if path.suffix.lower() == ".mjb":
        return _load_binary(str(path), lambda: C.mj_loadModel(os.fsencode(path), None))
    return _load_named(os.fsencode(path), assets)


def _is_folder(path: pathlib.Path) -> bool:
    try:
        return path.is_dir()
    except ValueError:  # a zero in the name
        return False


def _load_binary(what: str, load: Callable[[], int | None]) -> int:
    """An MJB; what the library warns of is the error's message."""
    heard: list[str] = []
    listener = WarningHandler(lambda message: heard.append(message.decode(errors="replace")))
    before = C._mjPRIVATE__get_tls_warning_fn()
    C._mjPRIVATE__set_tls_warning_fn(ctypes.cast(listener, ctypes.c_void_p))
    try:
        pointer = load()
    finally:
        C._mjPRIVATE__set_tls_warning_fn(before)
    if not pointer:
        raise ValueError(f"{what}: no MJB that this version can read" + "".join(f"; {message}" for message in heard))
    return pointer


def _load_text(text: str, assets: Mapping[str, bytes]) -> int:
    name = "model.xml"
    while name in assets:
        name = "_" + name
    return _load_named(name.encode(), {**assets, name: text.encode()})


def _load_named(name: bytes, files: Mapping[str, bytes]) -> int:
    """Loads a file that may be, or refer to, one of `files`."""
    vfs, message = ctypes.c_void_p(), ctypes.create_string_buffer(1000)
    C.mj_defaultVFS(ctypes.byref(vfs))
    try:
        for key, content in files.items():
            if not isinstance(key, str) or not isinstance(content, bytes):
                raise TypeError(f"assets are bytes by name, not {type(content).__name__} by {type(key).__name__}")
            if C.mj_addBufferVFS(ctypes.byref(vfs), key.encode(), content, len(content)):
                raise ValueError(f"asset {key!r} cannot be added: its name is taken or not allowed")
        pointer = C.mj_loadXML(name, ctypes.byref(vfs), message, len(message))
    finally:
        C.mj_deleteVFS(ctypes.byref(vfs))
    if not pointer:
        raise ValueError(message.value.decode(errors="replace").strip())
    return pointer
