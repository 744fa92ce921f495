"""Fields of one named element over all simulations: `batch.joint("hip").qpos`, `batch.body("pole").mass = …`."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sinew._batch import Batch

# fields of mjData by kind of element: attribute -> field. Where the rows are not those of the elements, see _rows.
_DOF = {name: name for name in ("qvel", "qacc", "qacc_warmstart", "qacc_smooth", "qfrc_applied", "qfrc_passive", "qfrc_bias", "qfrc_actuator",
                                "qfrc_smooth", "qfrc_constraint", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_inverse")}
_DATA = {
    "joint": {"qpos": "qpos", **_DOF, "xanchor": "xanchor", "xaxis": "xaxis"},
    "body": {name: name for name in ("xpos", "xquat", "xmat", "xipos", "ximat", "cvel", "cacc", "cfrc_int", "cfrc_ext", "cinert", "crb",
                                     "xfrc_applied", "subtree_com", "subtree_linvel", "subtree_angmom")},
    "geom": {"xpos": "geom_xpos", "xmat": "geom_xmat"},
    "site": {"xpos": "site_xpos", "xmat": "site_xmat"},
    "camera": {"xpos": "cam_xpos", "xmat": "cam_xmat"},
    "light": {"xpos": "light_xpos", "xdir": "light_xdir"},
    "actuator": {"ctrl": "ctrl", "act": "act", "act_dot": "act_dot", "length": "actuator_length", "velocity": "actuator_velocity",
                 "force": "actuator_force"},
    "tendon": {"length": "ten_length", "velocity": "ten_velocity"},
    "sensor": {"data": "sensordata"},
    "equality": {"active": "eq_active"},
}

# what the fields of mjModel of a kind begin with; the second is tried where the first has no such field
_MODEL = {"joint": ("jnt_", "dof_"), "body": ("body_",), "geom": ("geom_",), "site": ("site_",), "camera": ("cam_",), "light": ("light_",),
          "actuator": ("actuator_",), "tendon": ("tendon_",), "sensor": ("sensor_",), "equality": ("eq_",)}


class Named:
    """One element. Attributes are its part of the fields of mjData, and of mjModel under their names without prefix.

    Reading an attribute of the model does not expand it; writing one gives every simulation a value of its own.
    """

    _batch: "Batch"
    _kind: str
    _id: int
    name: str
    id: int

    def __init__(self, batch: "Batch", kind: str, key: str | int) -> None:
        number = batch.model.id(kind, key)
        for name, value in (("_batch", batch), ("_kind", kind), ("_id", number), ("name", batch.model.name(kind, number)), ("id", number)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> np.ndarray:
        field = _DATA[self._kind].get(name)
        if field:
            return self._batch.bind(field)[:, self._rows(field)]
        model_field = self._model_field(name)
        expanded = self._batch._arrays.get(("model", 0, model_field))
        if expanded is not None:
            return expanded[:, self._rows(model_field)]
        return self._batch.model.field(model_field)[self._rows(model_field)]

    def __setattr__(self, name: str, value: Any) -> None:
        field = _DATA[self._kind].get(name)
        if field:
            array = self._batch.bind(field)
            if not array.flags.writeable:
                raise AttributeError(f"{name!r} is an output: what is written would be lost with the next call")
        else:
            field = self._model_field(name)
            array = self._batch.expand(field)
        array[:, self._rows(field)] = _as_rows(value, array[:, self._rows(field)].shape)

    def _model_field(self, name: str) -> str:
        for prefix in _MODEL[self._kind]:
            try:
                self._batch.model.field(prefix + name)
            except AttributeError:
                continue
            return prefix + name
        raise AttributeError(f"a {self._kind} has no {name!r}: {', '.join(_DATA[self._kind])}, and the fields of the model")

    def _rows(self, field: str) -> int | slice:
        """Which rows of a field are this element's."""
        model, i = self._batch.model, self._id
        if self._kind == "joint" and field == "qpos":
            return _part(model.jnt_qposadr[i], (7, 4, 1, 1)[model.jnt_type[i]])
        if self._kind == "joint" and (field in _DOF or field.startswith("dof_")):
            return _part(model.jnt_dofadr[i], (6, 3, 1, 1)[model.jnt_type[i]])
        if self._kind == "actuator" and field in ("act", "act_dot"):
            return _part(model.actuator_actadr[i], model.actuator_actnum[i])
        if self._kind == "sensor" and field == "sensordata":
            return _part(model.sensor_adr[i], model.sensor_dim[i])
        return i

    def __repr__(self) -> str:
        return f"<{self._kind} {self.name or self._id} of {self._batch!r}>"


def _part(start: int, length: int) -> slice:
    return slice(int(start), int(start) + int(length)) if length > 0 else slice(0, 0)


def _as_rows(value: Any, shape: tuple[int, ...]) -> np.ndarray:
    """One number per simulation also fits where each has a row of one."""
    value = np.asarray(value)
    return value[:, None] if value.ndim == 1 and len(shape) == 2 and shape[1] == 1 and len(value) == shape[0] else value
