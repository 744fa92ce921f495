"""Runs the installed `mujoco` package on our library without touching its files.

The package's compiled modules ask the system's loader for a library named libmujoco.so.3.5.0. A library of that name
that is already in the process is the one they get: `use` loads ours under that name. For processes that this one
starts, the loader looks into LD_LIBRARY_PATH before the package's own folder, so our folder goes there too.
"""

import ctypes
import importlib.metadata
import os
import sys
import _ctypes

from sinew import _library

REFERENCE_VERSION = "3.5.0"
NAME = f"libmujoco.so.{REFERENCE_VERSION}"
FOLDER = _library.HERE / "lib"

_handle: ctypes.CDLL | None = None


def use(on: bool = True, *, quiet: bool = False) -> str:
    """Makes the `mujoco` package run on this library, in this process and in those that it starts.

    Call it before the first `import mujoco`. `use(False)` goes back to the package's own library, as long as `mujoco`
    has not been imported; processes started afterwards use their own in any case.

    Returns what was done in one sentence, and writes it to standard error unless `quiet`.
    """
    _check_version()
    done = _switch_on() if on else _switch_off()
    if not quiet:
        print(f"sinew {_library.version()}: {done}", file=sys.stderr)
    return done


def pytest_load_initial_conftests() -> None:
    """`pytest -p sinew`: switches before any test or conftest.py imports mujoco."""
    use()


def in_use() -> str | None:
    """The file that the imported `mujoco` package runs on; None while it is not imported."""
    if "mujoco" not in sys.modules:
        return None
    paths = _library.mapped(NAME)
    return paths[0] if paths else None


def on_sinew() -> bool:
    """Whether `mujoco` is imported and runs on this library."""
    path = in_use()
    return path is not None and _is_ours(path)


def _check_version() -> None:
    try:
        found = importlib.metadata.version("mujoco")
    except importlib.metadata.PackageNotFoundError:
        found = None
    if found != REFERENCE_VERSION:
        have = f"mujoco {found} is installed" if found else "the package mujoco is not installed"
        raise ImportError(f"sinew speaks the interface of mujoco {REFERENCE_VERSION}, and {have}: "
                          f"pip install mujoco=={REFERENCE_VERSION}")


def _is_ours(path: str) -> bool:
    return os.path.dirname(os.path.realpath(path)) == str(FOLDER)


def _set_children(on: bool) -> None:
    """Puts our folder into LD_LIBRARY_PATH, or takes it out."""
    rest = [part for part in os.environ.get("LD_LIBRARY_PATH", "").split(":") if part and part != str(FOLDER)]
    if on:
        rest.insert(0, str(FOLDER))
    if rest:
        os.environ["LD_LIBRARY_PATH"] = ":".join(rest)
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


def _switch_on() -> str:
    global _handle
    path = in_use()
    if path and not _is_ours(path):
        raise RuntimeError(f"mujoco is already imported and runs on {path}: call sinew.use() before the first 'import mujoco', "
                           "or start the script with 'python -m sinew'")
    if _handle is None:
        _library.loaded()
        _handle = ctypes.CDLL(str(FOLDER / NAME))
    _set_children(True)
    return f"mujoco {REFERENCE_VERSION} runs on {_library.library()}"


def _switch_off() -> str:
    global _handle
    _set_children(False)
    if on_sinew():
        raise RuntimeError("mujoco is already imported and runs on sinew: this process cannot go back, processes that it "
                           "starts from now on do")
    if _handle is not None:
        _ctypes.dlclose(_handle._handle)
        _handle = None
    return f"mujoco {REFERENCE_VERSION} runs on its own library"
