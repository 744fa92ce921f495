"""`python -m sinew script.py …`: runs a script, or with -m a module, whose `import mujoco` gets our library."""

import importlib.util
import os
import pathlib
import runpy
import sys

from sinew import _doctor, _dropin, _library

USAGE = """usage: python -m sinew SCRIPT.py [ARGUMENTS]     run a script on Sinew
       python -m sinew -m MODULE [ARGUMENTS]     run a module, such as pytest
       python -m sinew doctor                    say what runs on what
"""


def main(arguments: list[str]) -> int:
    """Does what the arguments say, as the interpreter itself would; returns the exit code."""
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        print(USAGE, end="")
        return 0 if arguments and arguments[0] != "-m" else 2
    if arguments == ["doctor"] and not os.path.exists("doctor"):
        _doctor.doctor()
        return 0
    try:
        _dropin.use(quiet="SINEW_QUIET" in os.environ)
    except ImportError as error:
        print(f"sinew: {error}", file=sys.stderr)
        return 1
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        if not os.path.exists(arguments[0]):
            print(f"sinew: there is no file {arguments[0]!r}", file=sys.stderr)
            return 2
        sys.argv = list(arguments)
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


def _libraries() -> dict[str, str]:
    """Where other packages keep libraries that parts of the program need: h5py that of HDF5, glfw that of windows."""
    found = {}
    for variable, package, pattern in (("SINEW_HDF5", "h5py", "../h5py.libs/libhdf5-*.so*"),
                                       ("SINEW_GLFW", "glfw", f"{'x11' if 'DISPLAY' in os.environ else 'wayland'}/libglfw.so")):
        spec = importlib.util.find_spec(package)
        files = sorted(pathlib.Path(spec.origin).parent.glob(pattern)) if spec and spec.origin else []
        if files:
            found[variable] = str(files[0].resolve())
    return found


def program() -> None:
    """The command `sinew`: the program that the package carries takes over this process."""
    path = str(_library.HERE / "bin" / "sinew")
    os.execve(path, [path, *sys.argv[1:]], {**_libraries(), **os.environ})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
