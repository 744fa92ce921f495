"""Swappable physics: how surfaces bend, how solids resist deformation, what an actuator's force is, how contacts act.

    import sinew.physics

    sinew.physics.models("actuation")                        # what there is, with parameters, defaults and units
    model = sinew.physics.choose("arm.xml", "actuation", "elbow", "dc_motor", resistance=2.5)
    model = sinew.physics.preset(model, "animation")         # one choice of each kind for all elements it fits
    batch = sinew.Batch(model, 1024)

Choices are kept inside the model, so that copies and saved files have them. Functions that change a model return a changed copy:
arrays over the old one stay what they are. The same choices are attributes in MJCF; the equations are in docs/physics.md.
"""

import ctypes
from collections.abc import Mapping
from ctypes import POINTER, c_char_p, c_double, c_int, c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np

from sinew._hooks import address
from sinew._model import Model
from sinew._native import C, text

KINDS = ("bending", "elasticity", "actuation", "contact")
PRESETS = ("mujoco", "animation", "soft")
MAXPARAM = 16

# what a choice is made for: a kind of element, none for the whole model
_ELEMENTS = {"bending": "flex", "elasticity": "flex", "actuation": "actuator", "contact": None}


class _Param(ctypes.Structure):
    """snParam"""

    _fields_ = [("name", c_char_p), ("value", c_double), ("least", c_double), ("most", c_double), ("about", c_char_p)]


class _Info(ctypes.Structure):
    """snInfo"""

    _fields_ = [("name", c_char_p), ("about", c_char_p), ("nparam", c_int), ("param", POINTER(_Param))]


class _Preset(ctypes.Structure):
    """snPhysics"""

    _fields_ = [(kind, c_char_p) for kind in KINDS]


_numbers = POINTER(c_double)
for _name, _result, _arguments in (
        ("sn_modelCount", c_int, [c_int]), ("sn_modelAt", POINTER(_Info), [c_int, c_int]),
        ("sn_getModel", POINTER(_Info), [c_void_p, c_int, c_int, _numbers]), ("sn_setContact", c_char_p, [c_void_p, c_char_p, _numbers]),
        *((f"sn_set{kind}", c_char_p, [c_void_p, c_int, c_char_p, _numbers]) for kind in ("Bending", "Elasticity", "Actuation")),
        *((f"sn_register{kind}", c_int, [c_void_p]) for kind in ("Bending", "Elasticity", "Actuation", "Contact")),
        ("sn_setPhysics", c_char_p, [c_void_p, POINTER(_Preset)]), ("sn_setKeyUserdata", c_char_p, [c_void_p, c_int, _numbers]),
        ("sn_keyUserdata", _numbers, [c_void_p, c_int])):
    _function = getattr(C, _name)
    _function.restype, _function.argtypes = _result, _arguments


@dataclass(frozen=True)
class Parameter:
    """One parameter of a model of physics. `default` is NaN where the element itself gives the value, or where there is none."""

    name: str
    default: float
    least: float
    most: float
    about: str


@dataclass(frozen=True)
class Physics:
    """One model of physics of a kind."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]


def models(kind: str) -> dict[str, Physics]:
    """What can be chosen of a kind ("bending", "elasticity", "actuation" or "contact"), by name; the first is the default."""
    number = _kind(kind)
    found = (_physics(C.sn_modelAt(number, i).contents) for i in range(C.sn_modelCount(number)))
    return {physics.name: physics for physics in found}


def choose(model: Any, kind: str, element: str | int | None, name: str, **parameters: float) -> Model:
    """A copy of a model with a choice in it.

    `model` is what `sinew.Model` takes; `element` a flex or an actuator, by name or number, None for contact. Parameters that are
    not given have their defaults.
    """
    copy, number = Model(model), _kind(kind)
    known = models(kind)
    if name not in known:
        raise ValueError(f"there is no {kind} {name!r}: {', '.join(known)}")
    _check_parameters(known[name], parameters)
    values = (c_double * MAXPARAM)(*(parameters.get(p.name, p.default) for p in known[name].parameters))
    given = values if parameters else None
    where = _where(copy, kind, element)
    if parameters and any(np.isnan(v) for v in values[: len(known[name].parameters)]):
        given = _complete(copy, kind, number, where, name, parameters)
    _done(_setter(kind)(copy._pointer, *where, name.encode(), given))
    return copy


def chosen(model: Any, kind: str, element: str | int | None = None) -> tuple[str, dict[str, float]]:
    """What is chosen for an element: the name of the model of physics and its parameters."""
    model, number = model if isinstance(model, Model) else Model(model), _kind(kind)
    values = (c_double * MAXPARAM)()
    found = C.sn_getModel(model._pointer, number, *(_where(model, kind, element) or (0,)), values)
    if not found:
        raise ValueError(f"the {kind} that is chosen for {element!r} cannot be resolved: no model of that name is registered")
    physics = _physics(found.contents)
    return physics.name, {p.name: values[i] for i, p in enumerate(physics.parameters)}


def preset(model: Any, name: str) -> Model:
    """A copy of a model with one choice of each kind for all elements that it fits: "mujoco", "animation" or "soft"."""
    if name not in PRESETS:
        raise ValueError(f"there is no preset {name!r}: {', '.join(PRESETS)}")
    copy = Model(model)
    _done(C.sn_setPhysics(copy._pointer, ctypes.byref(_Preset.in_dll(C, f"sn_physics{name.capitalize()}"))))
    return copy


def key_userdata(model: Model, key: str | int) -> np.ndarray | None:
    """User data of a keyframe, a copy; None where it has none."""
    found = C.sn_keyUserdata(model._pointer, model.id("key", key))
    return np.array(found[: model.nuserdata]) if found else None


def set_key_userdata(model: Any, key: str | int, values: Any) -> Model:
    """A copy of a model whose keyframe has user data."""
    copy = Model(model)
    given = np.ascontiguousarray(values, dtype=np.float64)
    if given.shape != (copy.nuserdata,):
        raise ValueError(f"user data of a keyframe are {copy.nuserdata} numbers, not of shape {given.shape}")
    _done(C.sn_setKeyUserdata(copy._pointer, copy.id("key", key), given.ctypes.data_as(_numbers)))
    return copy


# ------------------------------------------------------------ models of one's own

# members behind the info, in the order of the C struct: name, and whether it is a function that may be missing
_MEMBERS = {
    "bending": (("nconst", int), ("prepare", True), ("energy", True), ("apply", True), ("derivative", True)),
    "elasticity": (("dims", int), ("nconst", int), ("prepare", True), ("energy", True), ("apply", True), ("derivative", False)),
    "actuation": (("states", False), ("rate", False), ("apply", True), ("derivative", False)),
    "contact": (("check", False), ("apply", True)),
}
_registered: list[Any] = []  # what the library points to lives as long as the process


def register(kind: str, name: str, about: str = "", parameters: Mapping[str, tuple[float, float, float, str]] | None = None,
             **members: Any) -> None:
    """Adds a model of physics made of C functions, which all simulations of the process can then choose.

    `parameters`: by name (default, least, most, meaning and unit). `members`: the functions of the kind's struct in
    sinew/physics.h, as addresses or ctypes, cffi or numba pointers, and its numbers (`nconst`, `dims`).
    """
    _kind(kind)
    wanted, called = dict(_MEMBERS[kind]), text(name, "the name of a model of physics")
    unknown, missing = set(members) - set(wanted), {n for n, need in wanted.items() if need is True} - set(members)
    if unknown or missing:
        what = f"has no member {', '.join(sorted(unknown))}" if unknown else f"needs {', '.join(sorted(missing))}"
        raise TypeError(f"{kind} {what}; it consists of {', '.join(wanted)}")
    for key, value in members.items():
        if wanted[key] is not int and value is not None and address(value) is None:
            raise TypeError(f"{key} is a C function, as an address or a ctypes, cffi or numba pointer, not {type(value).__name__}")
    rows = [_Param(key.encode(), *map(float, row[:3]), row[3].encode()) for key, row in (parameters or {}).items()]
    table = (_Param * max(len(rows), 1))(*rows)
    fields = [("info", _Info), *((key, c_int if need is int else c_void_p) for key, need in wanted.items())]
    struct = type(f"_{kind}", (ctypes.Structure,), {"_fields_": fields})()
    struct.info = _Info(called, about.encode(), len(rows), ctypes.cast(table, POINTER(_Param)))
    for key, value in members.items():
        setattr(struct, key, value if wanted[key] is int else address(value))
    if getattr(C, f"sn_register{kind.capitalize()}")(ctypes.addressof(struct)) < 0:
        raise ValueError(f"{kind} {name!r} cannot be added: the name is taken, a parameter makes no sense, or there are too many")
    _registered.append((struct, table, members))


# ------------------------------------------------------------ how

def _kind(kind: str) -> int:
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of physics: {', '.join(KINDS)}")
    return KINDS.index(kind)


def _where(model: Model, kind: str, element: str | int | None) -> tuple[int, ...]:
    """The number of the element that a choice is for; nothing where it is for the whole model."""
    of = _ELEMENTS[kind]
    if (of is None) != (element is None):
        raise ValueError(f"{kind} is chosen for {'the whole model: element is None' if of is None else f'one {of}'}, not {element!r}")
    return () if of is None or element is None else (model.id(of, element),)


def _setter(kind: str) -> Any:
    return getattr(C, f"sn_set{kind.capitalize()}")


def _physics(info: _Info) -> Physics:
    rows = (info.param[i] for i in range(info.nparam))
    return Physics(info.name.decode(), (info.about or b"").decode(),
                   tuple(Parameter(p.name.decode(), p.value, p.least, p.most, (p.about or b"").decode()) for p in rows))


def _check_parameters(physics: Physics, parameters: Mapping[str, float]) -> None:
    names = [p.name for p in physics.parameters]
    unknown = set(parameters) - set(names)
    if unknown:
        raise TypeError(f"{physics.name} has no parameter {', '.join(sorted(unknown))}; it has {', '.join(names) or 'none'}")


def _complete(model: Model, kind: str, number: int, where: tuple[int, ...], name: str, parameters: Mapping[str, float]) -> Any:
    """Parameters whose defaults are the element's: those that the library resolves for the defaults, with the given ones over them."""
    trial, values = Model(model), (c_double * MAXPARAM)()
    _done(_setter(kind)(trial._pointer, *where, name.encode(), None))
    C.sn_getModel(trial._pointer, number, where[0] if where else 0, values)
    for i, p in enumerate(models(kind)[name].parameters):
        values[i] = parameters.get(p.name, values[i])
    return values


def _done(message: bytes | None) -> None:
    if message:
        raise ValueError(message.decode(errors="replace"))
