"""Batches: the bits of a loop, arrays that live, errors that are exceptions."""

import copy
import gc
import os
import re
import threading

import mujoco
import numpy as np
import pytest

import sinew
from test_model import XML


@pytest.fixture
def batch():
    return sinew.Batch(XML, 6, 2)


def test_gives_the_bits_of_a_loop(runner):
    script = runner.file("loop.py", """
import mujoco, numpy as np, sinew
path = str(sinew.scenes() / "quadruped.xml")
m = mujoco.MjModel.from_xml_path(path)
ctrl = np.random.default_rng(1).uniform(-1, 1, (20, 5, m.nu))
batch = sinew.Batch(m, 5, 2)
for u in ctrl:
    batch.ctrl[:] = u
    batch.step(nstep=3)
for i in range(5):
    d = mujoco.MjData(m)
    for u in ctrl:
        d.ctrl[:] = u[i]
        mujoco.mj_step(m, d, 3)
    assert np.array_equal(d.qpos, batch.qpos[i]) and np.array_equal(d.qvel, batch.qvel[i]) and d.time == batch.time[i]
print("same")
""")
    done = runner.run("-m", "sinew", script)
    assert done.stdout.strip() == "same", done.stderr


def test_fields_are_live_and_the_same_array(batch):
    assert batch.qpos is batch.qpos
    assert batch.qpos.shape == (6, 12) and batch.xpos.shape == (6, 4, 3)
    batch.qpos[2, 0] = 0.5
    assert (batch.sensordata == 0).all()  # asked for now, computed by the next call
    batch.forward()
    assert batch.sensordata[2, 0] == 0.5 and batch.sensordata[1, 0] == 0
    batch.ctrl = 0.25
    assert (batch.ctrl == 0.25).all()


def test_outputs_are_read_only(batch):
    with pytest.raises(ValueError):
        batch.xpos[0] = 1
    with pytest.raises(ValueError, match="output"):
        batch.xpos = 1
    with pytest.raises(AttributeError, match="xposs"):
        batch.xposs


def test_what_a_step_leaves_out_is_computed_on_request():
    """as mj_step, then mj_rnePostConstraint and mj_subtreeVel"""
    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    batch = sinew.Batch(m, 2)
    force, momentum = batch.cfrc_int, batch.subtree_linvel
    d.ctrl[:] = batch.ctrl = 0.3
    mujoco.mj_step(m, d, 5)
    mujoco.mj_rnePostConstraint(m, d)
    mujoco.mj_subtreeVel(m, d)
    batch.step(nstep=5)
    assert np.abs(d.cfrc_int).max() > 1 and np.abs(d.subtree_linvel).max() > 1e-3
    np.testing.assert_allclose(force[1], d.cfrc_int, atol=1e-10)
    np.testing.assert_allclose(momentum[1], d.subtree_linvel, atol=1e-12)
    record = sinew.Batch(m, 1).rollout(control=np.full((1, 1, 1), 0.3), record=["cfrc_int"], substeps=5)["cfrc_int"]
    np.testing.assert_allclose(record[0, 0], d.cfrc_int, atol=1e-10)


def test_selections(batch):
    batch.step([0, 3])
    assert batch.time.tolist() == [0.002, 0, 0, 0.002, 0, 0]
    batch.step(np.array([False, True, False, False, False, True]), nstep=2)
    assert batch.time.tolist() == [0.002, 0.004, 0, 0.002, 0, 0.004]
    batch.reset(batch.time > 0.003)
    assert batch.time.tolist() == [0.002, 0, 0, 0.002, 0, 0]


def test_keyframes_and_states(batch):
    batch.reset([1], keyframe=0)
    assert batch.qpos[:, 0].tolist() == [0, 1, 0, 0, 0, 0]
    batch.step(nstep=4)
    state = batch.get_state()
    batch.step(nstep=4)
    after = batch.qpos.copy()
    batch.set_state(state)
    batch.step(nstep=4)
    assert np.array_equal(batch.qpos, after)


def test_rollout_is_what_steps_give(batch):
    control = np.random.default_rng(3).normal(size=(6, 7, 1))
    other = sinew.Batch(XML, 6, 1)
    expected = []
    for t in range(7):
        other.ctrl[:] = control[:, t]
        other.step(nstep=2)
        expected.append(other.qpos.copy())
    out = batch.rollout(control=control, record=["qpos", "sensordata"], substeps=2)
    assert np.array_equal(out["qpos"], np.stack(expected, axis=1))
    assert out["sensordata"].shape == (6, 7, 4)
    assert batch.rollout(nstep=2, ids=[4])["qvel"].shape == (1, 2, 10)


def test_parameters_per_simulation(batch):
    mass = batch.expand("body_mass")
    assert mass.shape == (6, 4) and (mass[:, 1] == 2).all()
    mass[:, 1] = np.arange(1, 7)
    batch.set_const()
    batch.qpos[:, 0] = 1.0
    batch.step(nstep=10)
    assert batch.get_model(4).body_mass[1] == 5
    assert batch.get_model(4).body_subtreemass[1] > 5
    alone = sinew.Batch(batch.get_model(4), 1)
    alone.qpos[:, 0] = 1.0
    alone.step(nstep=10)
    assert np.array_equal(alone.qpos[0], batch.qpos[4])


def test_named_elements(batch):
    assert batch.joint("hinge").qpos.shape == (6, 1) and batch.joint("free").qpos.shape == (6, 7)
    assert batch.joint("ball").qvel.shape == (6, 3)
    batch.joint("hinge").qpos = np.arange(6) / 10
    assert batch.qpos[:, 0].tolist() == [0, 0.1, 0.2, 0.3, 0.4, 0.5]
    batch.actuator("motor").ctrl = 2
    assert (batch.ctrl == 2).all()
    assert batch.body("pole").mass.shape == (6, 1) and (batch.body("pole").mass == 2).all()
    batch.body("pole").mass = np.arange(1, 7)
    assert batch.expand("body_mass")[3, 1] == 4 and batch.body("pole").mass[3] == 4
    where = batch.sensor("where").data
    batch.forward()
    assert (where[:, 2] == 1).all()
    assert batch.sensor("where").data.shape == (6, 3) and (batch.sensor("where").data[:, 2] == 1).all()
    assert batch.joint("hinge").damping.shape == (6, 1)
    with pytest.raises(AttributeError, match="has no 'mass'"):
        batch.joint("hinge").mass
    with pytest.raises(KeyError, match="pole"):
        batch.body("poel")


def test_lists(batch):
    xml = '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    batch = sinew.Batch(xml, 3)
    distance, number = batch.list("contact.dist", 4), batch.ncon
    batch.forward()
    assert number.tolist() == [1, 1, 1]
    assert distance[0, 0] == pytest.approx(-0.01) and distance[0, 1] == 0


def test_several_models():
    other = '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'
    batch = sinew.Batch([XML, other], 5, which=[0, 1, 1, 0, 1])
    assert batch.bind("qpos", model=0).shape == (2, 12) and batch.bind("qpos", model=1).shape == (3, 1)
    batch.step()
    assert (batch.bind("time", model=1) == 0.002).all()


def test_one_failure_is_one_failure(batch):
    batch.qpos[3, 0] = np.nan
    with pytest.raises(sinew.SimulationError, match="1 simulations failed .3.") as caught:
        batch.step()
    assert caught.value.ids.tolist() == [3]
    assert batch.status.tolist() == [0, 0, 0, -1, 0, 0]
    assert batch.error(3) and not batch.error(2)
    assert batch.time.tolist() == [0.002, 0.002, 0.002, 0, 0.002, 0.002]


@pytest.mark.parametrize("wrong, message", [
    (lambda b: b.step([9]), "9"),
    (lambda b: b.step([1, 1]), "twice|more than once"),
    (lambda b: b.step(np.zeros(4, bool)), "a mask has 6 elements"),
    (lambda b: b.step(nstep=-1), "nstep"),
    (lambda b: b.reset(keyframe=5), "5"),
    (lambda b: b.set_state(np.zeros((6, 2))), "state has shape"),
    (lambda b: b.get_state(spec=1 << 20), "mjtState"),
    (lambda b: b.rollout(control=np.zeros((6, 3, 9))), "control has shape"),
    (lambda b: b.rollout(), "nstep"),
    (lambda b: b.expand("jnt_type"), "structure"),
    (lambda b: b.list("contact", 0), "at least one row"),
    (lambda b: b.list("contact.pos", 10**12), "not for 1000000000000"),
    (lambda b: b.step([2**40]), "1099511627776"),
    (lambda b: b.step(nstep=0), "nstep is a whole number from 1"),
    (lambda b: b.bind("qpos", model=2**40), "none of 1"),
    (lambda b: b.bind("qpos\0x"), "zero in it"),
    (lambda b: b.bind("contact"), r"list\('contact', capacity\)"),
    (lambda b: b.expand("body_mas"), "did you mean 'body_mass'"),
    (lambda b: b.expand("qpos"), "a field of mjData"),
    (lambda b: b.get_state(spec=2**40), "mjtState"),
    (lambda b: b.rollout(nstep=2, out={"xpos": np.zeros(3)}), "no 'xpos' in"),
    (lambda b: b.rollout(nstep=2, substeps=0), "substeps"),
    (lambda b: b.ray([0, 0, 5], [0, 0, 0]), "direction"),
    (lambda b: b.ray([0, 0, np.nan], [0, 0, 1]), "NaN"),
])
def test_bad_arguments_are_value_errors(batch, wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong(batch)
    batch.step()
    assert (batch.time == 0.002).all()


@pytest.mark.parametrize("arguments, message", [
    ({"nsim": -1}, "nsim"), ({"nsim": 0}, "batch"), ({"nsim": 3, "which": [0, 0]}, "which"), ({"nsim": 3, "device": "tpu"}, "cpu"),
    ({"nsim": 2**31 - 1}, "GB of memory"), ({"nsim": 3, "seed": -1}, "seed"), ({"nsim": 3, "seed": 2**64}, "seed"),
    ({"nsim": 3, "nthread": "2"}, "nthread"), ({"nsim": 3, "device": ["cpu"]}, "device"), ({"nsim": 3, "stream": "x"}, "stream"),
    ({"nsim": 3, "autoreset": "soon"}, "autoreset"), ({"nsim": 3, "hooks": {"touch": 1}}, "passive"), ({"nsim": 3, "nthread": -2}, "thread"),
])
def test_bad_batches_are_value_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        sinew.Batch(XML, **arguments)


@pytest.mark.parametrize("wrong, message", [
    (lambda b: b.rollout(control=np.zeros((6, 3, 2), complex)), "control is made of numbers, not of complex"),
    (lambda b: b.rollout(control=np.full((6, 3, 2), None)), "not of object"),
    (lambda b: b.rollout(control=np.full((6, 3, 2), "a")), "control is made of numbers"),
    (lambda b: b.set_state("abc"), "state is made of numbers"),
    (lambda b: b.rollout(nstep=1, record="qpos"), r"\['qpos'\]"),
    (lambda b: b.bind(3), "by its name"),
    (lambda b: b.list("contact.pos", 2.5), "float"),
    (lambda b: b.get_model("first"), "str"),
    (lambda b: b.error("first"), "str"),
    (lambda b: b.reset(keyframe=0.5), "float"),
    (lambda b: b.get_data(0, "data"), "MjData"),
    (lambda b: b.step("all"), "integers"),
    (lambda b: b.get_model(0, "model"), "MjModel"),
    (lambda b: b.get_data(0, type("MjData", (), {"_address": 4096, "qpos": 0})()), "MjData"),
    (lambda b: b.rollout(nstep=1, out=3), "out has arrays"),
    (lambda b: sinew.Batch(XML, 1, hooks=3), "functions by name"),
    (lambda b: sinew.Batch(XML, 1, hooks={"control": True}), "control is a Python function"),
    (lambda b: copy.deepcopy(b), "one process"),
    (lambda b: copy.deepcopy(b._handle), "neither copied nor pickled"),
])
def test_wrong_types_are_type_errors(batch, wrong, message):
    with pytest.raises(TypeError, match=message):
        wrong(batch)
    batch.step()
    assert (batch.time == 0.002).all()


@pytest.mark.parametrize("name", ["snField", "snSelection", "snBatchOptions", "snRollout"])
def test_structs_are_those_of_the_header(name):
    from sinew import _native
    ours = {kind.__doc__: kind for kind in vars(_native).values() if isinstance(kind, type) and issubclass(kind, _native.ctypes.Structure)}
    header = (sinew.include() / "sinew" / "batch.h").read_text()
    body = re.search(rf"struct {name}_ {{(.*?)}} {name};", header, re.S).group(1)
    members = re.findall(r"(\w+)(?:\[\d+\])?;|\(\*(\w+)\)\(", re.sub(r"//[^\n]*", "", body))
    assert [field[0] for field in ours[name]._fields_] == [plain or function for plain, function in members]


def test_what_a_batch_is_cannot_be_assigned(batch):
    for name in ("nsim", "device", "models", "model", "status", "nthread"):
        with pytest.raises(AttributeError, match="cannot be assigned"):
            setattr(batch, name, 3)
    with pytest.raises(AttributeError, match="expand..body_mass"):
        batch.body_mass = 3
    assert batch.nsim == 6


@pytest.mark.parametrize("sim", [6, -1, 2**40])
def test_simulations_that_there_are_not(batch, sim):
    for call in (batch.error, batch.get_model, batch.get_data):
        with pytest.raises(IndexError, match="the batch has 6"):
            call(sim)


def test_completion_knows_the_fields(batch):
    assert {"qpos", "xpos", "step"} <= set(dir(batch)) and {"mass", "xpos", "name"} <= set(dir(batch.body("pole")))
    with pytest.raises(AttributeError, match="did you mean 'damping'"):
        batch.joint("hinge").dampin


def test_jacobians_of_a_body_by_name(batch):
    np.testing.assert_array_equal(batch.jac("pole", [0, 0, 0])[0], batch.jac(1, [0, 0, 0])[0])


def test_models_of_ones_own():
    models = [sinew.Model(XML) for _ in range(3)]
    for i, model in enumerate(models):
        model.body_mass[1] *= 1 + i
    batch = sinew.Batch(XML, 3)
    assert batch.expanded("body_mass") is None
    batch.set_models(models)
    assert batch.expand("body_mass")[:, 1].tolist() == [m.body_mass[1] for m in models] and np.shares_memory(batch.expanded("body_mass"), batch.expand("body_mass"))
    batch.step(nstep=20)
    for i, model in enumerate(models):
        alone = sinew.Batch(model, 1)
        alone.step(nstep=20)
        assert np.array_equal(alone.qpos[0], batch.qpos[i])
    batch.set_models([models[0]], [2])
    assert batch.expand("body_mass")[2, 1] == models[0].body_mass[1]
    with pytest.raises(ValueError, match="each gets one"):
        batch.set_models(models[:2])
    with pytest.raises(ValueError, match="different n"):
        batch.set_models(["<mujoco/>"], [0])
    with pytest.raises(ValueError, match="no simulation 7: the batch has 3"):
        batch.set_models([XML], [7])


def test_control_of_two_dimensions_is_refused(batch):
    with pytest.raises(ValueError, match="control has shape"):
        batch.rollout(control=np.zeros((6, 3)))


def test_read_only_arrays(batch):
    control = np.zeros((6, 3, batch.model.nu))
    control.flags.writeable = False
    batch.rollout(control=control)
    with pytest.raises(ValueError, match="read-only"):
        batch.xpos[:] = 1


def test_keyframes_by_name():
    batch = sinew.Batch(XML.replace("</mujoco>", '<keyframe><key/><key name="late" time="3"/></keyframe></mujoco>'), 2)
    batch.reset(keyframe="late")
    assert batch.time.tolist() == [3, 3]
    with pytest.raises(KeyError, match="late"):
        batch.reset(keyframe="down")
    again = sinew.Batch(batch.model, 1, done=lambda model, data, sim: True, autoreset="same", autoreset_key="late")
    again.step()
    assert again.time.tolist() == [3]


def test_data_of_the_reference_gets_the_state(runner):
    assert runner.code("""
import mujoco, numpy as np, sinew
XML = '<mujoco><worldbody><body><joint/><geom size=".1" pos="1 0 0"/></body></worldbody></mujoco>'
model = mujoco.MjModel.from_xml_string(XML)
data, other = mujoco.MjData(model), mujoco.MjData(mujoco.MjModel.from_xml_string('<mujoco/>'))
batch = sinew.Batch(model, 3)
del model
batch.qvel[:, 0] = 1, 2, 3
batch.step(nstep=5)
batch.get_data(1, data)
assert np.array_equal(data.qpos, batch.qpos[1]) and np.array_equal(data.qvel, batch.qvel[1]) and data.time == batch.time[1]
for wrong, arguments in ((ValueError, (1, other)), (ValueError, (7, data))):
    try:
        batch.get_data(*arguments)
    except wrong as error:
        print(error)
""") == "index[0] = 7 is none of 3 simulations"


def test_float_indices_are_type_errors(batch):
    with pytest.raises(TypeError, match="integers"):
        batch.step([0.5])


def test_arrays_outlive_the_batch():
    batch = sinew.Batch(XML, 50)
    batch.step()
    qpos, time = batch.qpos, batch.time
    expected = qpos.copy()
    del batch
    gc.collect()
    assert np.array_equal(qpos, expected) and (time == 0.002).all()


def test_models_may_go_before_the_batch():
    model = sinew.Model(XML)
    masses, batch = model.body_mass, sinew.Batch(model, 2)
    mine = batch.get_model(0)
    del model
    gc.collect()
    batch.step(nstep=3)
    assert masses[1] == batch.model.body_mass[1] == mine.body_mass[1] > 0
    del batch
    gc.collect()
    assert mine.body_mass[1] == masses[1]


def test_one_thread_at_a_time(batch):
    wrong = []

    def work():
        for _ in range(300):
            try:
                batch.step()
            except RuntimeError as error:
                wrong.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("one call at a time" in message for message in wrong)
    steps = np.round(batch.time / 0.002)
    assert (steps == 1200 - len(wrong)).all()


def test_a_forked_child_gets_an_exception(batch):
    batch.step()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            batch.step()
            os.write(writer, b"stepped")
        except RuntimeError as error:
            os.write(writer, str(error).encode())
        finally:
            os._exit(0)
    os.close(writer)
    assert b"make a new one" in os.read(reader, 1000)
    os.waitpid(child, 0)
    batch.step()
    assert (batch.time == 0.004).all()


def test_c_functions_as_hooks():
    import ctypes
    calls = []
    done = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
        lambda m, d, sim, context: calls.append(sim) or sim == 1)
    batch = sinew.Batch(XML, 3, 1, done=done, autoreset="same")
    batch.step()
    assert sorted(calls) == [0, 1, 2]
    assert batch.time.tolist() == [0.002, 0, 0.002] and batch.episode.tolist()[1] > batch.episode.tolist()[0]
    with pytest.raises(TypeError, match="C function"):
        sinew.Batch(XML, 3, done=3.5)
