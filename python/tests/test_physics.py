"""Swappable physics from Python: what there is, choices, presets, and models made of C functions."""

import ctypes
import itertools

import numpy as np
import pytest

import sinew
from sinew import physics

ARM = """<mujoco><size nuserdata="2"/><worldbody><body><joint name="elbow" axis="0 1 0"/><geom size=".05 .2" type="capsule"/></body></worldbody>
  <actuator><motor name="motor" joint="elbow"/></actuator><keyframe><key name="home" qpos=".3"/></keyframe></mujoco>"""
CLOTH = """<mujoco><worldbody><flexcomp name="cloth" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" radius=".01">
  <elasticity young="1e4" poisson=".2" thickness=".01" elastic2d="both"/></flexcomp></worldbody></mujoco>"""


def test_models_of_every_kind_are_described():
    for kind, default in (("bending", "cotangent"), ("elasticity", "linear"), ("actuation", "builtin"), ("contact", "lcp")):
        found = physics.models(kind)
        assert next(iter(found)) == default and len(found) > 1
        for model in found.values():
            assert model.about and all(p.about and p.least <= p.most for p in model.parameters)
    with pytest.raises(ValueError, match="bending, elasticity"):
        physics.models("colour")


def test_a_choice_is_in_the_copy_and_acts():
    plain = sinew.Model(ARM)
    masses = plain.body_mass
    model = physics.choose(plain, "actuation", "motor", "dc_motor", resistance=2.5, emf_const=0.2)
    assert physics.chosen(plain, "actuation", "motor") == ("builtin", {})
    name, parameters = physics.chosen(model, "actuation", 0)
    assert name == "dc_motor" and parameters["resistance"] == 2.5 and parameters["emf_const"] == 0.2 and parameters["torque_const"] == 0.1
    assert masses[1] > 0 and physics.chosen(sinew.Model(model.to_bytes()), "actuation", "motor")[0] == "dc_motor"
    batch = sinew.Batch(model, 2)
    batch.ctrl[:, 0] = 5
    force = batch.actuator_force
    batch.step()
    np.testing.assert_allclose(force[:, 0], 0.1 * 5 / 2.5, rtol=1e-9)


def test_parameters_of_the_element_stay_where_none_are_given():
    model = physics.choose(CLOTH, "elasticity", "cloth", "corotational", poisson=0.1)
    name, parameters = physics.chosen(model, "elasticity", "cloth")
    assert name == "corotational" and parameters["poisson"] == 0.1 and parameters["thickness"] == pytest.approx(0.01)
    assert parameters["young"] == pytest.approx(1e4)
    defaults = physics.chosen(physics.choose(CLOTH, "elasticity", "cloth", "corotational"), "elasticity", "cloth")[1]
    assert defaults["poisson"] == pytest.approx(0.2)


def test_presets():
    assert physics.chosen(physics.preset(ARM, "animation"), "contact")[0] == "xpbd"
    assert physics.chosen(physics.preset(CLOTH, "soft"), "elasticity", "cloth")[0] == "neo_hookean"
    with pytest.raises(ValueError, match="mujoco, animation, soft"):
        physics.preset(ARM, "hard")


@pytest.mark.parametrize("arguments, parameters, error, text", [
    (("actuation", "motor", "steam"), {}, ValueError, "dc_motor"),
    (("actuation", "motor", "dc_motor"), {"resistanze": 1}, TypeError, "resistanze"),
    (("actuation", "motor", "dc_motor"), {"resistance": -1}, ValueError, "resistance"),
    (("actuation", "knee", "dc_motor"), {}, KeyError, "knee"),
    (("actuation", 3, "dc_motor"), {}, KeyError, "there is no actuator 3"),
    (("bending", 0, "bridson"), {}, KeyError, "there is no flex"),
    (("contact", "motor", "xpbd"), {}, ValueError, "whole model"),
    (("actuation", "motor", "pid"), {"ki": 1}, ValueError, "state"),
    (("light", "motor", "pid"), {}, ValueError, "kind of physics"),
])
def test_choices_that_make_no_sense(arguments, parameters, error, text):
    with pytest.raises(error, match=text):
        physics.choose(ARM, *arguments, **parameters)


def test_user_data_of_keyframes():
    assert physics.key_userdata(sinew.Model(ARM), "home") is None
    model = physics.set_key_userdata(ARM, "home", [3, 4])
    assert physics.key_userdata(model, 0).tolist() == [3, 4]
    with pytest.raises(ValueError, match="2 numbers"):
        physics.set_key_userdata(ARM, "home", [3])


_names = itertools.count()


def test_an_actuator_of_ones_own():
    class Actuator(ctypes.Structure):
        _fields_ = [("model", ctypes.c_void_p), ("data", ctypes.c_void_p), ("id", ctypes.c_int), ("param", ctypes.POINTER(ctypes.c_double)),
                    ("ctrl", ctypes.c_double), ("length", ctypes.c_double), ("velocity", ctypes.c_double)]

    force = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(Actuator))(lambda a: a.contents.param[0] * a.contents.ctrl ** 3)
    name = f"cubic{next(_names)}"
    physics.register("actuation", name, "force grows with the cube", {"scale": (2.0, 0.0, 10.0, "N")}, apply=force)
    assert physics.models("actuation")[name].parameters[0].about == "N"
    batch = sinew.Batch(physics.choose(ARM, "actuation", "motor", name, scale=4), 2)
    batch.ctrl[:, 0] = (1, 2)
    forces = batch.actuator_force
    batch.step()
    assert forces[:, 0].tolist() == [4, 32]
    with pytest.raises(ValueError, match="name is taken"):
        physics.register("actuation", name, apply=force)
    with pytest.raises(TypeError, match="needs apply"):
        physics.register("actuation", "nothing")
    with pytest.raises(TypeError, match="no member colour"):
        physics.register("actuation", "nothing", apply=force, colour=3)
    with pytest.raises(TypeError, match="C function"):
        physics.register("actuation", "nothing", apply=lambda a: 0.0)
