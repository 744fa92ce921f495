"""The installed mujoco package runs on our library, and goes back, in every way that people start Python."""

import os

import pytest

WHICH = "import sinew._dropin as d; print(d.in_use())"
OURS = "/sinew/lib/libmujoco.so.3.5.0"
THEIRS = "/mujoco/libmujoco.so.3.5.0"
# a number that only the library in use can have made: the free fall of a ball
FALL = """
import mujoco
m = mujoco.MjModel.from_xml_string('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
d = mujoco.MjData(m)
mujoco.mj_step(m, d, 10)
print(d.qpos[2])
"""


def test_use_switches_before_the_import(runner):
    assert runner.code(f"import sinew; sinew.use(); import mujoco; {WHICH}").endswith(OURS)


def test_without_use_nothing_changes(runner):
    assert runner.code(f"import sinew, mujoco; {WHICH}").endswith(THEIRS)


def test_simulates_on_ours(runner):
    height = float(runner.code(f"import sinew; sinew.use()\n{FALL}"))
    assert height == pytest.approx(-9.81 * 0.002**2 * 55, rel=1e-12)


def test_the_engine_is_loaded_once(runner):
    code = "import sinew; sinew.use(); import mujoco; from sinew._library import mapped; print(len(mapped('libmujoco.so.3.5.0')))"
    assert runner.code(code) == "1"


def test_goes_back(runner):
    assert runner.code(f"import sinew; sinew.use(); sinew.use(False); import mujoco; {WHICH}").endswith(THEIRS)
    assert runner.code(f"import sinew; sinew.use(); sinew.use(False); sinew.use(); import mujoco; {WHICH}").endswith(OURS)


def test_says_what_it_did(runner):
    done = runner.run("-c", "import sinew; sinew.use(); sinew.use(False)")
    first, second = done.stderr.strip().splitlines()
    assert "mujoco 3.5.0 runs on " in first and "libsinew.so.0" in first
    assert "its own library" in second
    assert runner.run("-c", "import sinew; sinew.use(quiet=True)").stderr == ""


def test_too_late_is_an_error(runner):
    done = runner.run("-c", "import mujoco, sinew; sinew.use()")
    assert done.returncode == 1
    assert "before the first 'import mujoco'" in done.stderr


def test_going_back_too_late_is_an_error(runner):
    done = runner.run("-c", "import sinew; sinew.use(); import mujoco; sinew.use(False)")
    assert done.returncode == 1
    assert "cannot go back" in done.stderr


@pytest.mark.parametrize("version", ["3.4.0", "3.10.0"])
def test_other_versions_are_refused_with_the_one_that_is_needed(runner, version):
    code = f"import importlib.metadata as i; i.version = lambda name: '{version}'; import sinew; sinew.use()"
    done = runner.run("-c", code)
    assert done.returncode == 1
    assert f"mujoco {version} is installed: pip install mujoco==3.5.0" in done.stderr


def test_a_missing_package_is_named(runner):
    code = ("import importlib.metadata as i\ndef no(name): raise i.PackageNotFoundError(name)\ni.version = no\n"
            "import sinew; sinew.use()")
    assert "is not installed: pip install mujoco==3.5.0" in runner.run("-c", code).stderr


def test_runs_a_script_as_the_interpreter_does(runner):
    runner.file("helper.py", "VALUE = 7")
    script = runner.file("script.py", f"import sys, helper, mujoco\nprint(sys.argv[1:], helper.VALUE, __name__)\n{WHICH}")
    done = runner.run("-m", "sinew", script, "one", "--two")
    lines = done.stdout.splitlines()
    assert lines[0] == "['one', '--two'] 7 __main__"
    assert lines[1].endswith(OURS)


def test_runs_a_module(runner):
    runner.file("module.py", f"import sys, mujoco; print(sys.argv[1:]); {WHICH}")
    lines = runner.run("-m", "sinew", "-m", "module", "x").stdout.splitlines()
    assert lines[0] == "['x']" and lines[1].endswith(OURS)


def test_exit_codes_of_scripts_pass(runner):
    assert runner.run("-m", "sinew", runner.file("exits.py", "raise SystemExit(5)")).returncode == 5
    assert runner.run("-m", "sinew", "missing.py").returncode == 2
    assert runner.run("-m", "sinew").returncode == 2


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_that_are_started_run_on_ours(runner, method):
    script = runner.file("pool.py", f"""
import multiprocessing

def which(_):
    import mujoco, sinew._dropin
    return sinew._dropin.in_use()

if __name__ == "__main__":
    with multiprocessing.get_context("{method}").Pool(2) as pool:
        print(*pool.map(which, range(2)))
""")
    done = runner.run("-m", "sinew", script)
    assert done.returncode == 0, done.stderr
    assert all(path.endswith(OURS) for path in done.stdout.split())


def test_going_back_reaches_processes_that_are_started(runner):
    code = f"import sinew, subprocess, sys; sinew.use(); sinew.use(False); subprocess.run([sys.executable, '-c', 'import mujoco; {WHICH}'])"
    assert runner.code(code).endswith(THEIRS)


def test_keeps_the_library_path_of_others(runner):
    code = "import os, sinew; sinew.use(); first = os.environ['LD_LIBRARY_PATH']; sinew.use(False); print(first, os.environ['LD_LIBRARY_PATH'])"
    first, last = runner.code(code, LD_LIBRARY_PATH="/somewhere").split()
    assert first.endswith("/sinew/lib:/somewhere") and last == "/somewhere"


def test_pytest_runs_on_ours(runner):
    runner.file("conftest.py", "import mujoco")
    runner.file("test_it.py", f"def test_which():\n    import sinew._dropin as d\n    assert d.in_use().endswith('{OURS}')\n")
    done = runner.run("-m", "pytest", "-q", "-p", "sinew", "-p", "no:cacheprovider", str(runner.folder))
    assert done.returncode == 0, done.stdout
    without = runner.run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(runner.folder))
    assert without.returncode == 1


def test_errors_of_the_library_are_exceptions(runner):
    code = """
import sinew; sinew.use(); import mujoco
try:
    mujoco.MjModel.from_xml_string('<mujoco><worldbody><body><joint/></body></worldbody></mujoco>')
except ValueError as error:
    print('refused:', str(error).splitlines()[0])
"""
    assert runner.code(code).startswith("refused:")


def test_doctor(runner):
    code = "import sinew, json; sinew.use(quiet=True); import mujoco; print(json.dumps(sinew.doctor(quiet=True)))"
    import json
    report = json.loads(runner.code(code))
    assert report["mujoco"].startswith("3.5.0, runs on ") and report["mujoco"].endswith(OURS)
    assert report["kernels"] in ("scalar", "v2", "v3", "v4", "neon")
    assert os.path.exists(report["sinew"].split(" at ")[1])
    printed = runner.run("-m", "sinew", "doctor").stdout.splitlines()
    assert [line.split()[0] for line in printed] == ["sinew", "kernels", "python", "mujoco", "drawing", "gpu"]
    assert "not called" in printed[3]
