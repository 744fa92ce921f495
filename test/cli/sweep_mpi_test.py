#!/usr/bin/env python3
"""sweep_mpi_test.py SINEW: a study by four ranks of mpirun, one of them killed, is resumed and ends in the file that one
process writes. Exits with 77 (skipped) where there is no mpirun or the program was built without MPI or HDF5."""
import filecmp
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
STUDY = ["-v", "body_mass[trunk]*=uniform:0.8,1.2", "-v", "qpos[pitch]=normal:0,0.05", "-n", "400", "-t", "0.4",
         "-m", "max(abs(qpos[pitch]))", "-m", "h=last(qpos[up])", "--threads", "1", "--json"]


def children(parent):
    with open(f"/proc/{parent}/task/{parent}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


def wait_for(condition, what):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    sys.exit(f"waited too long: {what}")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    sinew = sys.argv[1]
    folder = os.path.dirname(sinew)
    if not shutil.which("mpirun") or not all(os.path.exists(f"{folder}/sinew_{name}.so") for name in ("mpi", "hdf5")):
        print("no MPI or no HDF5: skipped")
        sys.exit(SKIPPED)
    command = [sinew, "sweep", os.path.abspath("scenes/hopper.xml"), *STUDY]
    ranks = ["mpirun", "--oversubscribe", "-n", "4", *command]
    with tempfile.TemporaryDirectory() as scratch:
        one, four = f"{scratch}/one.h5", f"{scratch}/four.h5"
        subprocess.run([*command, "-o", one], check=True, capture_output=True, env=ENVIRONMENT)

        # after the first results, one rank dies
        with subprocess.Popen([*ranks, "-o", four], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT) as run:
            wait_for(lambda: os.path.exists(four) or run.poll() is not None, "the file")
            empty = content(four)
            wait_for(lambda: content(four) != empty or run.poll() is not None, "a result")
            victims = children(run.pid)
            assert len(victims) == 4, f"ended too soon: {victims}"
            os.kill(victims[-1], signal.SIGKILL)
            _, errors = run.communicate(timeout=120)
        assert run.returncode, "the run ended as if nothing had happened"
        assert "the same command goes on from there" in errors and "signal 9" in errors, errors

        # the rest, again by four
        result = subprocess.run([*ranks, "-o", four], check=True, capture_output=True, text=True, env=ENVIRONMENT)
        report = json.loads(result.stdout)
        assert report["samples"] == 400 and 0 < report["resumed"] < 400, report
        assert filecmp.cmp(one, four, shallow=False), "the files differ"
        print(f"killed after {report['resumed']} of 400 samples, resumed, same file")


main()
