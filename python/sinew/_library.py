"""Where the parts of the package are, and the few functions of the library that need no more than ctypes."""

import ctypes
import functools
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


def library() -> pathlib.Path:
    """The library of this package, for ctypes, cffi or a linker."""
    return HERE / "lib" / "libsinew.so.0"


def include() -> pathlib.Path:
    """The folder with the C headers `mujoco/mujoco.h` and `sinew/sinew.h` that belong to `library()`."""
    return HERE / "include"


def scenes() -> pathlib.Path:
    """The folder with the example models."""
    return HERE / "scenes"


@functools.cache
def loaded() -> ctypes.CDLL:
    """The library, opened once; a second copy is never made, whoever opened it first."""
    return ctypes.CDLL(str(library()))


def _text(function: str) -> str:
    call = getattr(loaded(), function)
    call.restype = ctypes.c_char_p
    return call().decode()


def version() -> str:
    """The version of Sinew."""
    return _text("sn_version")


def kernels() -> str:
    """The instruction set that the vector kernels use on this machine; results are the same with every one."""
    return _text("sn_kernels")


def mapped(name: str) -> list[str]:
    """The files with this name that the process has loaded, in the order in which they were."""
    try:
        lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return []
    paths = (line.split(maxsplit=5)[5] for line in lines if line.count("/"))
    return list(dict.fromkeys(path for path in paths if path.rsplit("/", 1)[-1] == name))
