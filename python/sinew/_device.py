"""Fields in the memory of a GPU: nothing is copied until somebody asks for it."""

import ctypes
from ctypes import c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from sinew import _native
from sinew._native import C, Field, Stays

if TYPE_CHECKING:
    from sinew._batch import Batch

DLPACK_CUDA = 2
LEGACY_STREAM = 1  # how the interface of arrays calls the default stream


class DeviceArray(Stays):
    """A field over simulations that lies on a GPU, of shape (simulations, numbers).

    PyTorch, JAX, CuPy and Numba see it without a copy: `torch.as_tensor(batch.qpos)`, `jax.dlpack.from_dlpack(batch.qpos)`. What they
    write into a field that is an input is what the next call reads. `numpy()` copies it to the CPU, `write(values)` from there, and
    `batch.ctrl[:] = values` does the same.
    """

    def __init__(self, field: Field, batch: "Batch") -> None:
        self._field, self._batch = field, batch
        self.shape = tuple(field.shape[: field.ndim])
        self.dtype = np.dtype(_native.DTYPES[field.type])
        self.writable = bool(field.writable)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.str, "data": (self._field.data or 0, not self.writable),
                "strides": None, "stream": self._batch._stream or LEGACY_STREAM}

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLPACK_CUDA, self._batch._gpu

    def __dlpack__(self, **_: Any) -> Any:
        return _capsule(self)

    def numpy(self) -> np.ndarray:
        """A copy on the CPU, after everything that was asked for before is done."""
        values = np.empty(self.shape, self.dtype)
        if values.size:
            self._batch._call(C.sn_batchRead, None, ctypes.byref(self._field), values.ctypes.data, select=False)
        return values

    def write(self, values: Any) -> None:
        """Copies values from the CPU; one number, or one row, serves all."""
        if not self.writable:
            raise ValueError("this field is an output: what is written would be lost with the next call")
        given = np.ascontiguousarray(np.broadcast_to(np.asarray(values, self.dtype), self.shape))
        if given.size:
            self._batch._call(C.sn_batchWrite, None, ctypes.byref(self._field), given.ctypes.data, select=False)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("this field is in the memory of a GPU: NumPy gets a copy")
        values = self.numpy()
        return values if dtype is None else values.astype(dtype)

    def __setitem__(self, key: Any, values: Any) -> None:
        if not (key is Ellipsis or key == slice(None)):
            raise TypeError("a field on a GPU is written as a whole: batch.ctrl[:] = values; parts by torch.as_tensor(batch.ctrl)")
        self.write(values)

    def __getitem__(self, key: Any) -> Any:
        raise TypeError("a field on a GPU has no parts here: take torch.as_tensor(batch.qpos), or a copy by batch.qpos.numpy()")

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<sinew.DeviceArray: {self.dtype} of shape {self.shape}>"


# ------------------------------------------------------------ DLPack

class _Tensor(ctypes.Structure):
    """DLManagedTensor"""

    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8),
                ("lanes", c_uint16), ("shape", c_void_p), ("strides", c_void_p), ("byte_offset", c_uint64), ("context", c_void_p),
                ("deleter", c_void_p)]


_NAME = c_char_p(b"dltensor")
_CODES = {"i": 0, "u": 1, "f": 2}
_lent: dict[int, tuple[Any, ...]] = {}  # what others look at, by the address of its description


@ctypes.CFUNCTYPE(None, c_void_p)
def _give_back(address: int) -> None:
    _lent.pop(address, None)


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]


def _capsule(array: DeviceArray) -> Any:
    """The array for somebody else, who gives it back when it is done; the batch lives until then."""
    shape = (c_int64 * len(array.shape))(*array.shape)
    tensor = _Tensor(array._field.data, DLPACK_CUDA, array._batch._gpu, len(array.shape), _CODES[array.dtype.kind], 8 * array.dtype.itemsize, 1,
                     ctypes.addressof(shape), None, 0, None, ctypes.cast(_give_back, c_void_p).value)
    _lent[ctypes.addressof(tensor)] = (tensor, shape, array)
    return _new_capsule(ctypes.addressof(tensor), _NAME, None)
