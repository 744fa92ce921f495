#!/usr/bin/env python3
"""Runs an example program and compares what it prints.

    check_example.py run PROGRAM EXPECTED             text must be equal
    check_example.py reference SOURCE EXPECTED [OURS] compiles SOURCE against the reference's headers and library;
                                                      numbers must agree. OURS: the same binary runs once more with
                                                      our library under the reference's file name.
    check_example.py python SCRIPT EXPECTED [OURS]    runs SCRIPT with the reference's Python package; numbers must
                                                      agree. OURS: once more, with our library preloaded.

The reference is found through $SINEW_ORACLE or below build/oracle; without it all but the first form exit with 77 (skipped).
"""
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile

TOLERANCE = 2e-4  # what rounding to four decimals can do; examples print no more than six

NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def output(command, **environment):
    result = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120)
    if result.returncode:
        sys.exit(f"{command[0]}: exit status {result.returncode}\n{result.stderr}")
    return result.stdout


def fail(expected, got, label):
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), got.splitlines(True), "expected", label))
    sys.exit(1)


def same_numbers(expected, got, label):
    """Words must be equal, numbers close."""
    if NUMBER.sub("#", expected).split() != NUMBER.sub("#", got).split():
        fail(expected, got, label)
    for a, b in zip(NUMBER.findall(expected), NUMBER.findall(got)):
        if abs(float(a) - float(b)) > TOLERANCE * max(1, abs(float(a))):
            fail(expected, got, label)


def reference_library():
    found = [os.environ.get("SINEW_ORACLE", "")] + glob.glob(
        "build/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0")
    return next((os.path.abspath(path) for path in found if os.path.isfile(path)), None)


def require_reference():
    library = reference_library()
    if not library:
        print("the reference is not installed (make oracle): skipped")
        sys.exit(77)
    return library


def run(program, expected):
    got = output([program])
    if got != expected:
        fail(expected, got, program)


def reference(source, expected, ours=None):
    library = require_reference()
    folder = os.path.dirname(library)
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "example")
        subprocess.run(["cc", "-O1", f"-I{folder}/include", source, library, f"-Wl,-rpath,{folder}", "-lm", "-lpthread",
                        "-o", program], check=True)
        same_numbers(expected, output([program]), "reference")
        if ours:
            os.symlink(os.path.abspath(ours), os.path.join(scratch, os.path.basename(library)))
            got = output([program], LD_LIBRARY_PATH=scratch)
            if got != expected:
                fail(expected, got, "the reference's binary on our library")


def python(script, expected, ours=None):
    # lib/python3.x/site-packages/mujoco/libmujoco.so lies in the same environment as bin/python
    interpreter = os.path.join(os.path.dirname(require_reference()), *[".."] * 4, "bin/python")
    if not os.path.exists(interpreter):
        print("the reference has no Python beside it: skipped")
        sys.exit(77)
    same_numbers(expected, output([interpreter, script]), "reference")
    if ours:
        got = output([interpreter, script], LD_PRELOAD=os.path.abspath(ours))
        if got != expected:
            fail(expected, got, "the reference's Python package on our library")


def main():
    mode, program, expected = sys.argv[1:4]
    with open(expected, encoding="utf-8") as file:
        {"run": run, "reference": reference, "python": python}[mode](program, file.read(), *sys.argv[4:])


if __name__ == "__main__":
    main()
