"""Models from everything that holds one, and their fields."""

import pickle

import mujoco
import numpy as np
import pytest

import sinew

XML = """
<mujoco>
  <worldbody>
    <body name="pole" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.1"/>
      <geom name="rod" type="capsule" size=".05 .3" mass="2"/>
      <body pos="0 0 .5"><joint name="ball" type="ball"/><geom size=".1 .2 .3" type="ellipsoid"/></body>
    </body>
    <body><freejoint name="free"/><geom size=".1" pos="1 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/><framepos name="where" objtype="body" objname="pole"/></sensor>
  <keyframe><key name="up" qpos="1 1 0 0 0 0 0 2 1 0 0 0"/></keyframe>
</mujoco>
"""


def same(a, b):
    return a.to_bytes() == b.to_bytes()


def test_every_source_gives_the_same_model(tmp_path):
    model = sinew.Model(XML)
    path = tmp_path / "model.xml"
    path.write_text(XML)
    mjb = tmp_path / "model.mjb"
    mjb.write_bytes(model.to_bytes())
    for source in (path, str(path), mjb, model, model.to_bytes()):
        assert same(sinew.load(source), model)
    assert same(pickle.loads(pickle.dumps(model)), model)


def test_takes_a_model_of_the_reference():
    theirs = mujoco.MjModel.from_xml_string(XML)
    model = sinew.Model(theirs)
    assert np.array_equal(model.body_inertia, theirs.body_inertia)
    del theirs  # it was copied
    assert model.body_mass[1] == 2


def test_assets_are_found():
    obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    xml = '<mujoco><asset><mesh file="t.obj"/></asset><worldbody><geom type="mesh" mesh="t"/></worldbody></mujoco>'
    assert sinew.Model(xml, {"t.obj": obj}).nmeshvert == 4
    with pytest.raises(ValueError, match="t.obj"):
        sinew.Model(xml)


def test_errors_name_the_place(tmp_path):
    path = tmp_path / "broken.xml"
    path.write_text("<mujoco>\n<worldbody>\n<body><geom sise='1'/></body>\n</worldbody>\n</mujoco>")
    with pytest.raises(ValueError, match="sise.*\n.*geom.*line 3"):
        sinew.load(path)
    with pytest.raises(FileNotFoundError, match="nowhere.xml"):
        sinew.load("nowhere.xml")
    with pytest.raises(ValueError, match="MJB"):
        sinew.load(b"not a model")
    with pytest.raises(TypeError, match="a path, a string of XML"):
        sinew.load(3)


def test_fields_are_the_memory_of_the_model():
    model = sinew.Model(XML)
    assert (model.nq, model.nv, model.nu) == (12, 10, 1)
    model.body_mass[1] = 7
    assert model.body_mass[1] == 7
    model.field("opt.timestep")[...] = 0.01
    assert model.field("opt.timestep") == 0.01
    assert model.field("opt.gravity").tolist() == [0, 0, -9.81]
    with pytest.raises(AttributeError, match="boddy_mass"):
        model.boddy_mass
    with pytest.raises(ValueError):
        model.field("nq")[...] = 3


def test_fields_can_be_assigned():
    model = sinew.Model(XML)
    model.body_mass = [0, 3, 4, 5]
    model.opt.timestep, model.opt.gravity = 0.01, (0, 0, -1)
    model.stat.extent *= 2
    assert model.body_mass.tolist() == [0, 3, 4, 5] and model.opt.timestep == model.field("opt.timestep") == 0.01
    assert model.opt.gravity[2] == -1 and model.opt.iterations == 100 and model.stat.extent == model.field("stat.extent")
    for name in ("nq", "nbody"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(model, name, 3)
    with pytest.raises(AttributeError, match="did you mean 'body_mass'"):
        model.body_mas = 3
    with pytest.raises(AttributeError, match="did you mean 'opt.timestep'"):
        model.timestep
    with pytest.raises(AttributeError, match="opt.nothing"):
        model.opt.nothing = 3
    assert {"nq", "body_mass", "opt", "id"} <= set(dir(model)) and {"timestep", "gravity"} <= set(dir(model.opt))


def test_what_only_looks_like_a_model_is_refused():
    for wrong, message in ((mujoco.MjData(mujoco.MjModel.from_xml_string(XML)), "data.model"), (mujoco.MjSpec.from_string(XML), "compile"),
                           (type("MjModel", (), {"_address": 4096})(), "a path"), (sinew.Model, "a path")):
        with pytest.raises(TypeError, match=message):
            sinew.Model(wrong)
    for wrong, message in (("", "empty"), ("/tmp", "folder"), ("a\0b.xml", "no model file")):
        with pytest.raises(FileNotFoundError, match=message):
            sinew.Model(wrong)


def test_fields_outlive_the_variable():
    mass = sinew.Model(XML).body_mass
    assert mass[1] == 2


def test_names():
    model = sinew.Model(XML)
    assert model.id("joint", "ball") == 1 and model.name("joint", 1) == "ball"
    assert model.id("body", 3) == 3 and model.name("body", 3) == ""
    with pytest.raises(KeyError, match="hinge, ball, free"):
        model.id("joint", "knee")
    with pytest.raises(KeyError, match="the model has 4"):
        model.id("body", 9)
    with pytest.raises(KeyError, match="no kind"):
        model.id("limb", 0)
    for number in (9, -1, 2**40):
        with pytest.raises(KeyError, match="the model has 4"):
            model.name("body", number)
    for wrong in (1.5, None):
        with pytest.raises(TypeError, match="a joint"):
            model.id("joint", wrong)
    with pytest.raises(TypeError, match="field"):
        model.field(3)


def test_broken_mjb_says_what_is_wrong(capfd):
    content = sinew.Model(XML).to_bytes()
    for broken, why in ((b"", "header"), (content[:500], "ends"), (b"hello world" * 99, "")):
        with pytest.raises(ValueError, match=f"no MJB.*{why}"):
            sinew.Model(broken)
    assert "WARNING" not in capfd.readouterr().err
    with pytest.raises(TypeError, match="assets are bytes by name"):
        sinew.Model(XML, {"a.png": "text"})
    with pytest.raises(KeyError, match="kind of element"):
        sinew.Model(XML).name("thing", 0)
