"""Names of fields: which there are, and what somebody may have meant who asked for another."""

import ctypes
import difflib
import functools
import re

from sinew import _library, _native
from sinew._model import Model
from sinew._native import C, Field, Options

# a member of a struct in the headers: its type, a star or a blank, its name, perhaps a length
_MEMBER = re.compile(r"^\s+[\w ]+[* ]\s*(\w+)(?:\[[^\]]*\])?;", re.MULTILINE)

# members of mjtState in the order of their bits
STATE = ("time", "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat",
         "userdata", "plugin_state")


def _members(header: str, struct: str) -> list[str]:
    text = (_library.include() / "mujoco" / header).read_text(encoding="utf-8")
    return _MEMBER.findall(text[text.index(f"struct {struct} "):].split("\n}", 1)[0])


@functools.cache
def _smallest() -> Model:
    return Model("<mujoco/>")


@functools.cache
def data_fields() -> frozenset[str]:
    """Fields of mjData that a batch has over its simulations."""
    field = Field()
    return frozenset(name for name in _members("mjdata.h", "mjData_")
                     if C.sn_dataField(_smallest()._pointer, None, name.encode(), ctypes.byref(field)) == _native.OK)


@functools.cache
def all_model_fields() -> list[str]:
    """Fields of mjModel, those of the structs within it with the struct's name before them."""
    structs = {"": "mjModel_", "opt.": "mjOption_", "stat.": "mjStatistic_"}
    names = [prefix + name for prefix, struct in structs.items() for name in _members("mjmodel.h", struct)]
    field = Field()
    return [name for name in names if C.sn_modelField(_smallest()._pointer, name.encode(), ctypes.byref(field)) == _native.OK]


@functools.cache
def model_fields() -> frozenset[str]:
    """Fields of mjModel that simulations can have values of their own for."""
    names = _members("mjmodel.h", "mjModel_") + [f"opt.{name}" for name in _members("mjmodel.h", "mjOption_")]
    options, field = Options(), Field()
    C.sn_defaultBatchOptions(ctypes.byref(options))
    options.nthread = 1
    batch = C.sn_makeBatch((ctypes.c_void_p * 1)(_smallest()._pointer), 1, None, 1, ctypes.byref(options), None, 0)
    found = frozenset(name for name in names if C.sn_batchExpand(batch, 0, name.encode(), ctypes.byref(field)) == _native.OK)
    C.sn_deleteBatch(batch)
    return found


def hint(name: str) -> str:
    """Where a name belongs that is no field here, or what it resembles."""
    if name == "contact" or name.startswith(("contact.", "efc_")):
        return f": list({name!r}, capacity)"
    if name in data_fields():
        return f"; it is a field of mjData: bind({name!r})"
    if name in model_fields():
        return f"; it is a field of mjModel: expand({name!r})"
    if f"opt.{name}" in model_fields():
        return f"; it is an option of the model: expand('opt.{name}')"
    near = difflib.get_close_matches(name, data_fields() | model_fields(), n=3)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
