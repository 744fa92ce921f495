"""Tells which library runs, with what, and what of this machine it can use."""

import importlib.metadata
import os
import subprocess
import sys
import tempfile

from sinew import _batch, _dropin, _library

PICTURE = '<mujoco><worldbody><light pos="0 0 3"/><geom size=".1" rgba="1 0 0 1"/></worldbody></mujoco>'


def doctor(*, quiet: bool = False) -> dict[str, str]:
    """Reports which library is loaded, from where, with which kernels, and whether drawing and a GPU work.

    Prints one line per subject unless `quiet`, and returns them as a dictionary.
    """
    report = {
        "sinew": f"{_library.version()} at {_library.library()}",
        "kernels": _library.kernels(),
        "python": f"{sys.version.split()[0]} at {sys.executable}",
        "mujoco": _mujoco(),
        "drawing": _drawing(),
        "gpu": _gpu(),
    }
    if not quiet:
        for subject, finding in report.items():
            print(f"{subject:8} {finding}")
    return report


def _gpu() -> str:
    """Makes a batch of one ball on it."""
    try:
        _batch.Batch(PICTURE, 1, device="cuda")
    except ValueError as error:
        return f"not used: {error}"
    return "works"


def _mujoco() -> str:
    try:
        version = importlib.metadata.version("mujoco")
    except importlib.metadata.PackageNotFoundError:
        return "not installed (sinew.use() needs mujoco==" + _dropin.REFERENCE_VERSION + ")"
    if version != _dropin.REFERENCE_VERSION:
        return f"{version}, and sinew.use() needs {_dropin.REFERENCE_VERSION}"
    path = _dropin.in_use()
    if path is None:
        ready = _library.mapped(_dropin.NAME)
        return f"{version}, not imported yet; sinew.use() was {'called' if ready else 'not called'}"
    return f"{version}, runs on {path}"


def _drawing() -> str:
    """Draws one ball without a display, in a process of its own, because a broken driver may end it."""
    program = _library.HERE / "bin" / "sinew"
    with tempfile.TemporaryDirectory() as place:
        model, picture = os.path.join(place, "ball.xml"), os.path.join(place, "ball.png")
        with open(model, "w", encoding="utf-8") as file:
            file.write(PICTURE)
        done = subprocess.run([str(program), "picture", model, "--out", picture], capture_output=True, text=True, check=False)
        if done.returncode == 0 and os.path.exists(picture):
            return "works"
    return "does not work: " + (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[0]
