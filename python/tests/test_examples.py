"""The scripts of examples/python do what their page says."""

import importlib.util
import pathlib
import re
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / "python" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_identification_finds_what_was_hidden(capsys):
    module = load("identify")
    module.main()
    printed = capsys.readouterr().out
    found = [float(number) for number in re.findall(r" (\d+\.\d+)   \(was", printed)]
    np.testing.assert_allclose(found, module.TRUTH, rtol=0.02)
    assert printed == (ROOT / "examples" / "expected" / "identify.txt").read_text()


def test_gains_from_randomised_worlds_fall_less(monkeypatch):
    module = load("randomise")
    for name, value in (("CANDIDATES", 32), ("WORLDS", 8), ("GENERATIONS", 6), ("STEPS", 120)):
        monkeypatch.setattr(module, name, value)
    unseen = module.sinew.Batch(module.CART, 200)
    module.randomise(unseen, np.random.default_rng(1), 200)
    falls = []
    for randomised in (False, True):
        gains = np.tile(module.search(randomised, 0), (200, 1))
        falls.append(module.costs(unseen, gains, np.random.default_rng(2))[1].mean())
    assert falls[1] < 0.7 * falls[0]


def test_ppo_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("torch", reason="torch is not installed: the example of PPO is not run here (pip install torch)")
    pytest.importorskip("gymnasium")
    module = load("ppo")
    arguments = ["ppo.py", "--env", "sinew/Reacher-v5", "--envs", "8", "--horizon", "32", "--steps", "2048", "--minibatch", "64", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", arguments)
    module.main()
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert rows[0] == "seconds,cpu_seconds,steps,return" and len(rows) > 3 and (tmp_path / "policy.pt").exists()
    assert "without noise" in capsys.readouterr().out


def test_advantages_are_the_sums_that_define_them():
    torch = pytest.importorskip("torch", reason="torch is not installed: the example of PPO is not tested here (pip install torch)")
    pytest.importorskip("gymnasium")
    module = load("ppo")
    options = type("Options", (), {"discount": 0.9, "trace": 0.8})
    rewards, values = torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([[0.5], [0.25], [0.75], [4.0]])
    terminated = torch.tensor([[False], [True], [False]])
    delta = [1 + 0.9 * 0.25 - 0.5, 2 - 0.25, 3 + 0.9 * 4 - 0.75]
    found = module.advantages(rewards, values, terminated, terminated, options).flatten().tolist()
    assert found == pytest.approx([delta[0] + 0.72 * delta[1], delta[1], delta[2]])
