"""Python functions as hooks: called for the right simulation, with its data; exceptions come out as they are."""

import copy
import ctypes
import gc
import pickle
import threading

import numpy as np
import pytest

import sinew

PENDULUM = """<mujoco><worldbody><body name="bob"><joint name="hinge" axis="0 1 0"/><geom name="ball" size=".1" pos="0 0 -.5"/></body>
  <geom name="floor" type="plane" size="1 1 1" pos="0 0 -.55"/></worldbody>
  <actuator><motor joint="hinge"/><general joint="hinge" gaintype="user" biastype="user" dyntype="user" actdim="1"/></actuator>
  <sensor><user dim="2"/></sensor></mujoco>"""


def test_control_and_passive_reach_the_simulation():
    def control(model, data):
        data.ctrl[0] = data.sim

    def passive(model, data):
        data.qfrc_passive[0] += 10 * data.sim

    batch = sinew.Batch(PENDULUM, 6, 2, hooks={"control": control, "passive": passive})
    expected = sinew.Batch(PENDULUM, 6, 2)
    expected.ctrl[:, 0] = np.arange(6)
    expected.qfrc_applied[:, 0] = 10 * np.arange(6)
    batch.step(nstep=20)
    expected.step(nstep=20)
    np.testing.assert_allclose(batch.qpos, expected.qpos, rtol=1e-12, atol=1e-15)
    assert batch.ctrl[:, 0].tolist() == list(range(6))


def test_every_hook_is_called_with_what_its_c_function_gets():
    seen = {}

    def note(name, answer):
        def function(model, data, *more):
            seen[name] = more
            assert model.nv == 1 and data.qpos.shape == (1,)
            return answer
        return function

    def sensor(model, data, stage):
        seen.setdefault("sensor", set()).add(stage)
        data.sensordata = (1, 2)

    batch = sinew.Batch(PENDULUM, 2, hooks={"act_dyn": note("act_dyn", 3), "act_gain": note("act_gain", 0), "act_bias": note("act_bias", 5.0),
                                            "contactfilter": note("contactfilter", True), "sensor": sensor, "act_vel": note("act_vel", 0.0)})
    forces, ncon = batch.actuator_force, batch.ncon
    readings = batch.sensordata
    batch.step()
    assert seen["act_dyn"] == seen["act_gain"] == seen["act_bias"] == (1,) and sorted(seen["contactfilter"]) == [0, 1]
    assert forces[:, 1].tolist() == [5, 5] and ncon.tolist() == [0, 0] and readings.tolist() == [[1, 2], [1, 2]]
    assert batch.act[:, 0].tolist() == pytest.approx([0.006, 0.006])


def test_resets_draw_the_same_numbers_for_any_number_of_threads():
    def reset(model, data, sim, random):
        data.qpos[0] = random.uniform(-1, 1)
        data.qvel = random.normal(1)

    batches = [sinew.Batch(PENDULUM, 32, threads, seed=3, reset=reset) for threads in (1, 3)]
    for batch in batches:
        batch.reset()
    assert np.array_equal(batches[0].qpos, batches[1].qpos) and np.array_equal(batches[0].qvel, batches[1].qvel)
    assert len(np.unique(batches[0].qpos)) == 32
    first = batches[0].qpos.copy()
    batches[0].reset()
    assert not np.isin(batches[0].qpos, first).any()


def test_done_ends_episodes():
    batch = sinew.Batch(PENDULUM, 3, done=lambda model, data, sim: sim == 1 and data.time > 0.005, autoreset="same")
    batch.step(nstep=3)
    assert batch.done.tolist() == [0, 1, 0] and batch.time.tolist() == pytest.approx([0.006, 0, 0.006])


def test_exceptions_come_out_as_they_are():
    def control(model, data):
        if data.sim == 2:
            raise KeyError("no such thing")

    batch = sinew.Batch(PENDULUM, 4, 2, hooks={"control": control})
    with pytest.raises(KeyError, match="no such thing") as caught:
        batch.step()
    if hasattr(caught.value, "__notes__"):
        assert "simulation 2" in caught.value.__notes__[0]
    assert batch.status.tolist() == [0, 0, -1, 0] and batch.time[2] == 0 and batch.time[1] > 0
    assert "KeyError" in batch.error(2)
    with pytest.raises(KeyError):
        batch.rollout(nstep=3)
    batch.step([0, 1, 3])

    # an answer that is no number
    wrong = sinew.Batch(PENDULUM, 1, hooks={"act_gain": lambda model, data, actuator: "much"})
    with pytest.raises(ValueError, match="much"):
        wrong.step()
    for function in ("reset", "done"):
        failing = sinew.Batch(PENDULUM, 1, **{function: lambda *arguments: 1 / 0})
        with pytest.raises(ZeroDivisionError):
            failing.reset() if function == "reset" else failing.step()


def test_a_hook_cannot_enter_its_own_batch():
    batch = sinew.Batch(PENDULUM, 2, hooks={"control": lambda model, data: batch.step()})
    with pytest.raises(RuntimeError, match="inside this batch"):
        batch.step()


def test_what_outlives_the_batch_is_still_there():
    kept = []

    def control(model, data):
        kept.append((model, data.qpos))
        data.nonsense if data.time[()] > 1 else None

    def reset(model, data, sim, random):
        kept.append(random)

    batch = sinew.Batch(PENDULUM, 2, 1, hooks={"control": control}, reset=reset)
    batch.reset()
    batch.step()
    del batch
    gc.collect()
    random = kept[0]
    with pytest.raises(RuntimeError, match="over"):
        random.uniform()
    model, qpos = kept[-1]
    assert qpos.shape == (1,) and model.nq == 1
    with pytest.raises(AttributeError, match="nonsense"):
        model.nonsense


def test_what_hooks_get_is_not_copied():
    def control(model, data):
        copy.deepcopy(data)

    def reset(model, data, sim, random):
        pickle.dumps(random)

    with pytest.raises(TypeError, match="a Data looks into memory"):
        sinew.Batch(PENDULUM, 2, hooks={"control": control}).step()
    with pytest.raises(TypeError, match="a Random looks into memory"):
        sinew.Batch(PENDULUM, 2, reset=reset).reset()


def test_neither_python_nor_c_is_refused():
    with pytest.raises(TypeError, match="control is a Python function"):
        sinew.Batch(PENDULUM, 1, hooks={"control": "left"})
    with pytest.raises(TypeError, match="context"):
        sinew.Batch(PENDULUM, 1, context="here")


def test_cffi_pointers_are_addresses():
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    calls = []
    control = ffi.callback("void(void*, void*, void*)", lambda model, data, context: calls.append(1))
    sinew.Batch(PENDULUM, 1, 1, hooks={"control": control}).step()
    assert calls == [1]


def test_a_python_hook_runs_while_another_thread_computes():
    entered, go = threading.Event(), threading.Event()

    def control(model, data):
        entered.set()
        assert go.wait(20)

    batch = sinew.Batch(PENDULUM, 1, 1, hooks={"control": control})
    thread = threading.Thread(target=batch.step)
    thread.start()
    assert entered.wait(20)
    with pytest.raises(RuntimeError, match="another thread"):
        batch.step()
    go.set()
    thread.join()
    assert batch.time[0] > 0


def test_recording_binds_nothing():
    batch = sinew.Batch(PENDULUM, 3)
    before = batch.memory
    records = batch.rollout(nstep=4, record=["xpos", "cfrc_ext", "time", "done"])
    assert records["xpos"].shape == (3, 4, 2, 3) and records["time"].shape == (3, 4) and records["done"].dtype == np.uint8
    assert np.abs(records["cfrc_ext"]).max() > 0
    assert batch.memory == before and not any(name == "xpos" for _, _, name in batch._arrays)
    with pytest.raises(ValueError, match="cannot be recorded"):
        batch.rollout(nstep=1, record=["contact"])
    with pytest.raises(ValueError, match="cannot be recorded"):
        batch.rollout(nstep=1, record=["nothing"])
