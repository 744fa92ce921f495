"""The C functions that the package calls, with the types of their arguments; see include/sinew/batch.h.

Everything goes through ctypes, which releases the interpreter's lock during a call and needs no compiled module: one
wheel serves every Python.
"""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_uint8, c_uint64, c_void_p

import numpy as np

from sinew import _library

OK, WARNING, ERROR = 0, 1, -1  # snStatus
CPU, CUDA = 0, 1  # snDevice

# snType to NumPy; SN_STRUCT (5) comes as raw bytes
DTYPES = {0: np.float64, 1: np.float32, 2: np.int32, 3: np.int64, 4: np.uint8}


class Field(ctypes.Structure):
    """snField"""

    _fields_ = [("data", c_void_p), ("type", c_int), ("itemsize", c_int), ("ndim", c_int), ("shape", c_int64 * 4),
                ("stride", c_int64 * 4), ("writable", c_int), ("device", c_int)]


class Selection(ctypes.Structure):
    """snSelection"""

    _fields_ = [("mask", c_void_p), ("index", c_void_p), ("n", c_int)]


class Hooks(ctypes.Structure):
    """snHooks: the context, then one function pointer per hook"""

    NAMES = ("passive", "control", "sensor", "contactfilter", "act_dyn", "act_gain", "act_bias", "act_vel")
    _fields_ = [("context", c_void_p)] + [(name, c_void_p) for name in NAMES]


class Options(ctypes.Structure):
    """snBatchOptions"""

    _fields_ = [("device", c_int), ("nthread", c_int), ("persistent", c_int), ("seed", c_uint64), ("hooks", POINTER(Hooks)),
                ("context", c_void_p), ("reset", c_void_p), ("done", c_void_p), ("autoreset", c_int), ("autoreset_key", c_int),
                ("lanes", c_int), ("real", c_int), ("stream", c_void_p), ("reset_qpos", c_double), ("reset_qvel", c_double)]


class Rollout(ctypes.Structure):
    """snRollout"""

    _fields_ = [("nstep", c_int), ("substeps", c_int), ("control_spec", c_int), ("control", c_void_p), ("nrecord", c_int),
                ("record", POINTER(c_char_p)), ("out", POINTER(c_void_p))]


WarningHandler = ctypes.CFUNCTYPE(None, c_char_p)

# result and arguments of every function that is called
_SIGNATURES = {
    "mj_loadXML": (c_void_p, [c_char_p, c_void_p, c_char_p, c_int]),
    "mj_loadModel": (c_void_p, [c_char_p, c_void_p]),
    "mj_loadModelBuffer": (c_void_p, [c_char_p, c_int]),
    "mj_copyModel": (c_void_p, [c_void_p, c_void_p]),
    "mj_deleteModel": (None, [c_void_p]),
    "mj_saveModel": (None, [c_void_p, c_char_p, c_void_p, c_int]),
    "mj_sizeModel": (c_int64, [c_void_p]),
    "mj_makeData": (c_void_p, [c_void_p]),
    "mj_deleteData": (None, [c_void_p]),
    "mj_kinematics": (None, [c_void_p, c_void_p]),
    "mj_comPos": (None, [c_void_p, c_void_p]),
    "mj_flex": (None, [c_void_p, c_void_p]),
    "mj_jac": (None, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_int]),
    "mj_ray": (c_double, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_uint8, c_int, c_void_p, c_void_p]),
    "mj_name2id": (c_int, [c_void_p, c_int, c_char_p]),
    "mj_id2name": (c_char_p, [c_void_p, c_int, c_int]),
    "mj_defaultVFS": (None, [c_void_p]),
    "mj_addBufferVFS": (c_int, [c_void_p, c_char_p, c_char_p, c_int]),
    "mj_deleteVFS": (None, [c_void_p]),
    "_mjPRIVATE__get_tls_warning_fn": (c_void_p, []),
    "_mjPRIVATE__set_tls_warning_fn": (None, [c_void_p]),
    "mj_stateSize": (c_int, [c_void_p, c_int]),
    "sn_modelField": (c_int, [c_void_p, c_char_p, POINTER(Field)]),
    "sn_dataField": (c_int, [c_void_p, c_void_p, c_char_p, POINTER(Field)]),
    "sn_defaultBatchOptions": (None, [POINTER(Options)]),
    "sn_makeBatch": (c_void_p, [POINTER(c_void_p), c_int, c_void_p, c_int, POINTER(Options), c_char_p, c_int]),
    "sn_deleteBatch": (None, [c_void_p]),
    "sn_batchThreads": (c_int, [c_void_p]),
    "sn_batchMemory": (c_int64, [c_void_p]),
    "sn_batchField": (c_int, [c_void_p, c_int, c_char_p, POINTER(Field)]),
    "sn_batchList": (c_int, [c_void_p, c_int, c_char_p, c_int, POINTER(Field)]),
    "sn_batchExpand": (c_int, [c_void_p, c_int, c_char_p, POINTER(Field)]),
    "sn_batchSetConst": (c_int, [c_void_p, POINTER(Selection)]),
    "sn_batchSetModel": (c_int, [c_void_p, c_int, c_void_p]),
    "sn_batchGetModel": (c_void_p, [c_void_p, c_int]),
    "sn_batchGetData": (c_int, [c_void_p, c_int, c_void_p]),
    "sn_batchStep": (c_int, [c_void_p, POINTER(Selection), c_int]),
    "sn_batchForward": (c_int, [c_void_p, POINTER(Selection)]),
    "sn_batchReset": (c_int, [c_void_p, POINTER(Selection), c_int]),
    "sn_batchResetState": (c_int, [c_void_p, POINTER(Selection), c_void_p, c_int]),
    "sn_batchGetState": (c_int, [c_void_p, POINTER(Selection), c_void_p, c_int]),
    "sn_batchStateSize": (c_int, [c_void_p, c_int]),
    "sn_batchRollout": (c_int, [c_void_p, POINTER(Selection), POINTER(Rollout)]),
    "sn_batchStatus": (c_int, [c_void_p, c_int]),
    "sn_batchRead": (c_int, [c_void_p, POINTER(Field), c_void_p]),
    "sn_batchWrite": (c_int, [c_void_p, POINTER(Field), c_void_p]),
    "sn_batchWait": (c_int, [c_void_p]),
    "sn_batchMessage": (c_char_p, [c_void_p, c_int]),
    "sn_batchCurrent": (c_int, []),
    "sn_batchFail": (None, [c_char_p]),
    "sn_randomUniform": (c_double, [c_void_p, c_double, c_double]),
    "sn_randomNormal": (c_double, [c_void_p]),
}


def _declare() -> ctypes.CDLL:
    library = _library.loaded()
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


C = _declare()


def text(value: str, what: str) -> bytes:
    """A name for the library, which reads up to the first zero."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a string, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{what} {value!r} has a zero in it")
    return value.encode()


class Stays:
    """What looks into memory of the library: neither copied nor pickled, since a second owner would look at what the first has freed."""

    def __reduce__(self) -> tuple:
        raise TypeError(f"a {type(self).__name__} looks into memory of this process: it is neither copied nor pickled")


class _View:
    """Memory of the library as NumPy sees it; keeps alive what owns the memory."""

    def __init__(self, field: Field, owner: object) -> None:
        self.owner = owner
        dtype = np.dtype(DTYPES.get(field.type, f"V{field.itemsize}"))
        self.__array_interface__ = {
            "version": 3, "typestr": dtype.str, "data": (field.data or 0, not field.writable),
            "shape": tuple(field.shape[:field.ndim]), "strides": tuple(field.stride[:field.ndim]),
        }


def array(field: Field, owner: object) -> np.ndarray:
    """The field as an array, without a copy; the array keeps `owner` alive."""
    if 0 in field.shape[:field.ndim]:
        return np.empty(tuple(field.shape[:field.ndim]), DTYPES.get(field.type, np.uint8))
    return np.asarray(_View(field, owner))
