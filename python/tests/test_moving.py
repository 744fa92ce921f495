"""Moving over from `mujoco.batch` of newer releases: one script, two imports.

What the script finds is compared with the functions of MuJoCo 3.5.0 here, and with `mujoco.batch` itself where the environment variable
SINEW_MUJOCO_BATCH names a Python that has it.
"""

import json
import os
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import sinew
from sinew import batch as moved

XML = """
<mujoco>
  <asset><material name="red" rgba="1 0 0 1"/></asset>
  <custom><numeric name="gains" data="1 2 3"/><numeric name="more" data="4 5"/></custom>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="cart" pos="0 0 .1">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom name="box" type="box" size=".1 .1 .05" mass="1" material="red"/>
      <body name="pole" pos="0 0 .05">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".1"/>
        <site name="tip" pos="0 0 .5"/>
      </body>
    </body>
    <body name="target" mocap="true" pos="1 0 1"/>
  </worldbody>
  <contact><pair name="touch" geom1="floor" geom2="box" margin=".01"/></contact>
  <actuator>
    <motor name="push" joint="slide" gear="5"/>
    <general joint="hinge" dyntype="filter" dynprm="0.02" gainprm="5" biastype="affine" biasprm="0 -5 0"/>
  </actuator>
  <sensor><jointpos joint="hinge"/><accelerometer name="felt" site="tip"/></sensor>
  <keyframe><key name="up" qpos="0.3 0.5" ctrl="0.1 0.2" act="0.2"/><key name="down" qpos="-0.3 -0.5"/></keyframe>
</mujoco>
"""
POS, VEL = 1, 2  # mjtStage

SCRIPT = """
import json, sys
import numpy as np
import mujoco
from PACKAGE import batch

m = mujoco.MjModel.from_xml_string(XML)
found = {}
def note(name, value): found[name] = [list(np.shape(value)), np.asarray(value, float).ravel().tolist()]

b = batch.Batch(m, 4, 2, True)
note("counts", [b.nsim, b.nthread, b.persistent, b.nstate == b.state.shape[1], len(b.state)])
xpos, felt = b.bind("xpos"), b.sensor("felt").data
for name in ("xmat", "geom_xpos", "site_xpos", "actuator_length"): b.bind(name)
b.reset(keyframe=[0, -1, 1, 0])
for name in ("qpos", "ctrl", "act"): note("reset " + name, getattr(b, name))
note("reset xpos", xpos)
b.reset([1, 2], keyframe=1)
note("part", b.qpos)
for kind, key, fields in (("joint", "hinge", "qpos qvel damping qposadr range"), ("body", "pole", "mass xpos xmat pos"), ("actuator", "push", "ctrl gear length"),
                          ("geom", "box", "size xpos friction contype"), ("keyframe", "up", "qpos time"), ("material", "red", "rgba"),
                          ("numeric", "more", "data"), ("pair", "touch", "margin friction"), ("sensor", "felt", "data"), ("site", "tip", "xpos")):
    for field in fields.split(): note(kind + " " + field, getattr(getattr(b, kind)(key), field))
jacp, jacr = b.jac(m.body("pole").id, [0.1, 0, 0.4])
note("jacp", jacp); note("jacr", jacr)
note("jac of some", b.jac([1, 2], np.zeros((2, 3)), ids=[0, 3])[0])
distance, geom = b.ray([0, -1, 0.12], [0, 1, 0])
note("ray", distance); note("hit", geom)
for k, part in enumerate(b.ray([[0, -1, 0.12], [0, 0, 3.0]], [[0, 1, 0], [0, 0, -1]], bodyexclude=m.body("cart").id, ids=[1, 2], normal=True)): note("rays %d" % k, part)
b.step(nstep=3, stage=STAGE)
note("stage xpos", xpos)
out = b.rollout(4, np.full((4, 4, 2), 0.25), record=("qpos", 1 | 4, "xmat"))
for item in ("qpos", 1 | 4, "xmat"): note("rollout %s" % item, out[item])
out = b.rollout(2, np.full(4, 0.5), 64 | 128, ("ctrl",), ids=[1, 3])
note("rollout of some", out["ctrl"]); note("after", b.qvel)
room = np.empty((4, 2, 2))
note("room", [b.rollout(2, record=("qpos",), out={"qpos": room})["qpos"] is room])
note("expanded", [b.expanded("body_mass") is None])
b.body("pole").mass = np.arange(1, 5).reshape(4, 1)
b.set_const()
note("mass", b.expanded("body_mass")); note("weight", b.body("pole").invweight0)
note("writable", [b.expanded("body_mass").flags.writeable, b.body("pole").mass.flags.writeable])
note("own model", b.get_model(2, mujoco.MjModel.from_xml_string(XML)).body_mass)
note("data", b.get_data(3).qpos - b.qpos[3])
c = batch.Batch(m, 4)
other = mujoco.MjModel.from_xml_string(XML); other.body_mass[1] = 7
for models in (other, [m, other, m, other], None):
    c.set_models(models)
    note("models %s" % type(models).__name__, c.body("cart").mass)
wrong = []
for call in (lambda: b.step([4]), lambda: b.step([-1]), lambda: b.step([[0]]), lambda: b.reset(keyframe=2), lambda: b.reset(keyframe=[0, 0]), lambda: b.jac(9, [0, 0, 0]),
             lambda: b.bind("body_mass"), lambda: b.expand("xpos"), lambda: setattr(b, "xpos", 0), lambda: setattr(b.body("pole"), "xpos", 0),
             lambda: setattr(b.joint("hinge"), "qposadr", 0), lambda: b.rollout(1, record=("qpso",)), lambda: b.rollout(2, np.zeros((3, 3, 3))),
             lambda: b.rollout(1, record=("qpos",), out={"qpos": np.zeros(3)}), lambda: c.set_models([m])):
    try: call(); wrong.append(0)
    except ValueError: wrong.append(1)
note("ValueError", wrong)
note("fields", [n in batch.DATA_FIELDS for n in ("qpos", "xpos", "contact", "nope")] + [n in batch.MODEL_FIELDS for n in ("body_mass", "opt.gravity", "mesh_vert", "nope")])
print(json.dumps(found))
"""


def script(package):
    return SCRIPT.replace("PACKAGE", package).replace("STAGE", str(VEL)).replace("import json, sys", f"import json, sys\nXML = {XML!r}")


@pytest.fixture(scope="module")
def found():
    done = subprocess.run([sys.executable, "-c", script("sinew")], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return {name: np.reshape(values, shape) for name, (shape, values) in json.loads(done.stdout.splitlines()[-1]).items()}


def test_the_same_script_finds_the_same_with_mujoco_batch(found):
    python = os.environ.get("SINEW_MUJOCO_BATCH")
    if not python:
        pytest.skip("SINEW_MUJOCO_BATCH names no Python that has mujoco.batch")
    done = subprocess.run([python, "-c", script("mujoco")], capture_output=True, text=True, timeout=120, check=False,
                          env={k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH")})
    assert done.returncode == 0, done.stderr
    theirs = {name: np.reshape(values, shape) for name, (shape, values) in json.loads(done.stdout.splitlines()[-1]).items()}
    assert found.keys() == theirs.keys()
    for name, values in theirs.items():
        assert found[name].shape == values.shape, name
        if name != "sensor data":  # an accelerometer, of accelerations
            np.testing.assert_allclose(found[name], values, rtol=1e-9, atol=1e-9, err_msg=name)


def test_shapes(found):
    shapes = {"joint qpos": (4, 1), "joint damping": (4, 1), "joint range": (4, 2), "body mass": (4, 1), "body xmat": (4, 9), "actuator ctrl": (4, 1),
              "actuator gear": (4, 6), "geom size": (4, 3), "keyframe qpos": (4, 2), "keyframe time": (4, 1), "material rgba": (4, 4),
              "numeric data": (4, 2), "pair margin": (4, 1), "sensor data": (4, 3), "jacp": (4, 3, 2), "jac of some": (2, 3, 2), "ray": (4, 1),
              "rays 2": (2, 2, 3), "rollout qpos": (4, 4, 2), "rollout 5": (4, 4, 3), "rollout xmat": (4, 4, 4, 9), "rollout of some": (2, 2, 2)}
    assert {name: found[name].shape for name in shapes} == shapes


def test_values(found):
    assert found["counts"].tolist() == [4, 2, 1, 1, 4]
    assert found["reset qpos"].tolist() == [[0.3, 0.5], [0, 0], [-0.3, -0.5], [0.3, 0.5]]
    assert found["reset ctrl"].tolist() == [[0.1, 0.2], [0, 0], [0, 0], [0.1, 0.2]]
    assert found["reset xpos"][:, 1, 0].tolist() == [0.3, 0, -0.3, 0.3]  # a reset computes
    assert found["part"].tolist() == [[0.3, 0.5], [-0.3, -0.5], [-0.3, -0.5], [0.3, 0.5]]
    assert found["numeric data"].tolist() == [[4, 5]] * 4 and found["keyframe qpos"].tolist() == [[0.3, 0.5]] * 4
    assert found["pair margin"].tolist() == [[0.01]] * 4 and found["material rgba"].tolist() == [[1, 0, 0, 1]] * 4
    assert found["room"] == [1] and found["expanded"] == [1] and found["writable"].tolist() == [0, 1]
    assert found["mass"][:, 2].tolist() == [1, 2, 3, 4] and found["own model"][2] == 3
    assert (np.diff(found["weight"][:, 0]) < 0).all()  # what set_const derived, not the model's
    assert not found["data"].any()
    assert found["models MjModel"].tolist() == [[7]] * 4 and found["models list"].tolist() == [[1], [7], [1], [7]] and found["models NoneType"].tolist() == [[1]] * 4
    assert found["ValueError"].all(), found["ValueError"]
    assert found["fields"].tolist() == [1, 1, 0, 0, 1, 1, 0, 0]


def test_questions_are_answered_as_by_the_reference(found):
    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    for i, qpos in enumerate(found["part"]):
        d.qpos[:] = qpos
        mujoco.mj_kinematics(m, d)
        mujoco.mj_comPos(m, d)
        jacp, jacr, geom, normal = np.zeros((3, 2)), np.zeros((3, 2)), np.zeros(1, np.int32), np.zeros(3)
        mujoco.mj_jac(m, d, jacp, jacr, np.array([0.1, 0, 0.4]), m.body("pole").id)
        np.testing.assert_allclose(found["jacp"][i], jacp, atol=1e-12)
        np.testing.assert_allclose(found["jacr"][i], jacr, atol=1e-12)
        distance = mujoco.mj_ray(m, d, np.array([0, -1, 0.12]), np.array([0, 1.0, 0]), None, 1, -1, geom)
        assert found["ray"][i, 0] == pytest.approx(distance) and found["hit"][i, 0] == geom[0]
        if i in (1, 2):
            distance = mujoco.mj_ray(m, d, np.array([0, 0, 3.0]), np.array([0, 0, -1.0]), None, 1, m.body("cart").id, geom, normal)
            assert found["rays 0"][i - 1, 1] == pytest.approx(distance) and found["rays 1"][i - 1, 1] == geom[0]
            np.testing.assert_allclose(found["rays 2"][i - 1, 1], normal, atol=1e-12)


def test_a_ray_meets_the_geom_of_its_own_simulation():
    batch = sinew.Batch(XML, 2)
    batch.geom("box").size = [[0.1, 0.1, 0.05], [0.1, 0.4, 0.05]]
    batch.qpos[:] = [[0, 3], [0, 3]]
    distance, _ = batch.ray([0, -1, 0.1], [0, 1, 0])
    np.testing.assert_allclose(distance[:, 0], [0.9, 0.6])


@pytest.mark.parametrize("stage", (POS, VEL))
def test_stages_leave_the_next_steps_as_they_are(stage):
    plain, staged = sinew.Batch(XML, 3), sinew.Batch(XML, 3)
    behind, fresh = plain.xpos, staged.xpos
    for b in (plain, staged):
        b.reset(keyframe=0, stage=0)
        assert not b.xpos.any()  # nothing was computed
    for _ in range(20):
        plain.step(nstep=2)
        staged.step(nstep=2, stage=stage)
    assert np.array_equal(plain.state, staged.state)
    assert not np.array_equal(behind, fresh)
    plain.forward()
    assert np.array_equal(behind, fresh)


def test_stages_of_the_others_where_one_fails():
    batch = sinew.Batch(XML, 3)
    xpos = batch.xpos
    batch.qvel[:] = 1
    batch.qvel[1] = np.nan
    with pytest.raises(sinew.SimulationError) as caught:
        batch.step(stage=VEL)
    assert caught.value.ids.tolist() == [1] and batch.status.tolist() == [0, -1, 0]
    assert xpos[2, 1, 0] == batch.qpos[2, 0] != 0


def test_states_are_rows_that_can_be_set():
    batch = sinew.Batch(XML, 3)
    batch.step(nstep=3)
    rows = batch.state
    batch.step()
    batch.state = rows
    assert np.array_equal(batch.state, rows)
    with pytest.raises(ValueError, match="shape"):
        batch.state = rows[:, 1:]


@pytest.mark.parametrize("call, message", [
    (lambda b: b.rollout(np.zeros((3, 2, 2))), "control="),
    (lambda b: b.rollout(control=np.zeros((3, 2))), "nstep"),
    (lambda b: b.rollout(1, record=[1 << 20]), "mjtState"),
    (lambda b: b.rollout(1, np.zeros(2), 1 << 20), "mjtState"),
    (lambda b: b.step(stage=4), "stage"),
    (lambda b: b.step(stage=1.5), "stage"),
    (lambda b: b.reset(keyframe=0.5), "keyframe"),
    (lambda b: b.reset(keyframe=2**40), "keyframe"),
    (lambda b: b.jac(0.5, [0, 0, 0]), "body"),
    (lambda b: b.jac(1, [0, 0]), "point"),
    (lambda b: b.jac(1, [0, 0, 0], ids=[7]), "7"),
    (lambda b: b.ray([0, 0], [0, 0, 1]), "pnt"),
    (lambda b: b.ray([0, 0, 0], [0, 0, 1], geomgroup=[1, 1]), "geomgroup"),
    (lambda b: b.ray(np.zeros((2, 3)), np.zeros((5, 3))), "as many"),
    (lambda b: b.qpso, "did you mean 'qpos'"),
    (lambda b: b.body_mass, "expand"),
    (lambda b: b.timestep, "opt.timestep"),
    (lambda b: b.expanded("qpos"), "bind"),
    (lambda b: b.get_model(0, mujoco.MjModel.from_xml_string("<mujoco/>")), "not made like"),
    (lambda b: setattr(b.body("pole"), "id", 3), "cannot be changed"),
])
def test_what_makes_no_sense_is_said(call, message):
    batch = sinew.Batch(XML, 3)
    with pytest.raises((ValueError, TypeError, AttributeError), match=message):
        call(batch)
    batch.step()


def test_names():
    assert moved.Batch is sinew.Batch and moved.SimulationError is sinew.SimulationError
    batch = sinew.Batch(XML, 2)
    for name in moved.DATA_FIELDS:
        assert len(batch.bind(name)) == 2
    for name in moved.MODEL_FIELDS:
        assert len(batch.expand(name)) == 2
    assert len(moved.DATA_FIELDS) > 80 and len(moved.MODEL_FIELDS) > 150
