#!/usr/bin/env python3
"""python_peers.py BUILD PACKAGE: runs the tests that other packages carry, on the reference and on Sinew, and compares them test by test.

PACKAGE is the folder with our package (BUILD/release/python). The packages are installed below BUILD when they are missing. Fails where
a test passes on the reference and not on Sinew.
"""
import os
import subprocess
import sys
import xml.etree.ElementTree

import bench_batch

# what is run of each package, and what is left out: tests that need a window
SUITES = {
    "mujoco": (["mujoco"], ["viewer_test.py", "sysid"]),
    "gymnasium, its checker": ([os.path.abspath("python/peers")], []),
    "dm_control, suite": (["dm_control/suite"], []),
}
NEEDS = ["mujoco==3.5.0", "dm_control", "pytest", "usd-core", "mock", "pillow", "gymnasium", "imageio"]


def run(python, folder, paths, left_out, package):
    """Outcome of each test by its name."""
    report = os.path.join(folder, "report.xml")
    if os.path.exists(report):
        os.remove(report)
    environment = {**os.environ, "MUJOCO_GL": os.environ.get("MUJOCO_GL", "egl"), "PYTHONDONTWRITEBYTECODE": "1"}
    if package:
        environment["PYTHONPATH"] = os.path.abspath(package)
    site = subprocess.run([python, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True, check=True).stdout.strip()
    command = [python, "-m", "pytest", "-q", "--continue-on-collection-errors", "-p", "no:cacheprovider", "-o", "python_files=*_test.py test_*.py", f"--junitxml={report}"]
    command += [f"--ignore-glob=*{name}*" for name in left_out] + (["-p", "sinew"] if package else []) + [os.path.join(site, path) for path in paths]
    with open(os.path.join(folder, f"{'sinew' if package else 'reference'}.log"), "a", encoding="utf-8") as log:
        subprocess.run(command, stdout=log, stderr=log, env=environment, cwd=folder, check=False)
    outcomes = {}
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        outcome = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        outcomes[f"{case.get('classname')}.{case.get('name')}"] = outcome
    return outcomes


def main():
    build, package = sys.argv[1:3]
    folder = os.path.abspath(os.path.join(build, "peers"))
    python = bench_batch.python_with(os.path.abspath(build), "peers", *NEEDS)
    if not python:
        sys.exit("peers: the packages cannot be installed")
    worse = []
    print("| tests of | reference: passed, failed, skipped | Sinew: passed, failed, skipped | passed there, not here |\n| --- | ---: | ---: | ---: |")
    for name, (paths, left_out) in SUITES.items():
        theirs, ours = (run(python, folder, paths, left_out, where) for where in (None, package))
        lost = [test for test, outcome in theirs.items() if outcome == "passed" and ours.get(test) != "passed"]
        counts = (", ".join(str(list(found.values()).count(kind)) for kind in ("passed", "failed", "skipped")) for found in (theirs, ours))
        print(f"| {name} | {' | '.join(counts)} | {len(lost)} |", flush=True)
        worse += lost
    print("\n".join(worse))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
