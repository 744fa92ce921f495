"""The program that the package carries, started as the command `sinew` starts it."""

import subprocess
import sys

import pytest

import sinew

START = "import sinew.__main__ as entry; entry.program()"


def run(*arguments, folder):
    return subprocess.run([sys.executable, "-c", START, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)


def test_simulates(tmp_path):
    done = run("run", sinew.scenes() / "hopper.xml", "--steps", 10, "--states", "states.npy", "--quiet", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "states.npy").exists()


def test_writes_hdf5_with_the_library_of_h5py(tmp_path):
    h5py = pytest.importorskip("h5py")
    states = run("run", sinew.scenes() / "hopper.xml", "--steps", 10, "--states", "states.h5", "--quiet", folder=tmp_path)
    assert states.returncode == 0, states.stderr
    with h5py.File(tmp_path / "states.h5") as file:
        assert all(len(rows) in (10, 11) for rows in file.values()) and len(file)

    study = ("sweep", sinew.scenes() / "hopper.xml", "--vary", "dof_damping[knee]=uniform:0,2", "--samples", 8, "--time", 0.02,
             "--measure", "own=dof_damping[knee]", "--out", "study.h5", "--quiet")
    for _ in range(2):  # the second finds nothing left to do
        done = run(*study, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        with h5py.File(tmp_path / "study.h5") as file:
            assert list(file["state"][:]) == [1] * 8 and len(set(file["measures/own"][:])) == 8
