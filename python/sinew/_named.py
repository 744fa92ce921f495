"""Fields of one named element over all simulations: `batch.joint("hip").qpos`, `batch.body("pole").mass = …`."""

import difflib
from typing import TYPE_CHECKING, Any

import numpy as np

from sinew import _fields

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
    "keyframe": {}, "material": {}, "numeric": {}, "pair": {},
}

# what the fields of mjModel of a kind begin with; the second is tried where the first has no such field
_MODEL = {"joint": ("jnt_", "dof_"), "body": ("body_",), "geom": ("geom_",), "site": ("site_",), "camera": ("cam_",), "light": ("light_",),
          "actuator": ("actuator_",), "tendon": ("tendon_",), "sensor": ("sensor_",), "equality": ("eq_",),
          "keyframe": ("key_",), "material": ("mat_",), "numeric": ("numeric_",), "pair": ("pair_",)}
_OBJECT = {"keyframe": "key"}  # where the model has another name for the kind


class Named:
    """One element. Attributes are its part of the fields of mjData, and of mjModel under their names without prefix.

    All are over simulations, (nsim, ...), with a last dimension of 1 for a single number. Reading an attribute of the model does not expand
    it: what all simulations share cannot be written to in place. Assigning one gives every simulation a value of its own.
    """

    _batch: "Batch"
    _kind: str
    _id: int
    name: str
    id: int

    def __init__(self, batch: "Batch", kind: str, key: str | int) -> None:
        known = _OBJECT.get(kind, kind)
        number = batch.model.id(known, key)
        for name, value in (("_batch", batch), ("_kind", kind), ("_id", number), ("name", batch.model.name(known, number)), ("id", number)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> np.ndarray:
        field = _DATA[self._kind].get(name)
        if field:
            return self._part(field, self._batch.bind(field))
        field = self._model_field(name)
        own = self._batch._own(field)
        if own is not None:
            return self._part(field, own)
        shared = self._batch.model.field(field)
        return self._part(field, np.broadcast_to(shared, (self._batch.nsim, *shared.shape)))

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("id", "name") or name.startswith("_"):
            raise AttributeError(f"{name!r} cannot be changed")
        field = _DATA[self._kind].get(name)
        if field:
            array = self._batch.bind(field)
            if not array.flags.writeable:
                raise ValueError(f"{name!r} is an output: what is written would be lost with the next call")
        else:
            field = self._model_field(name)
            array = self._batch.expand(field)
        part = self._part(field, array)
        part[...] = _as_rows(value, part.shape)

    def _part(self, field: str, array: Any) -> Any:
        """This element's part of a field over simulations."""
        rows = self._rows(field)
        if isinstance(rows, slice):
            return array[:, rows]
        return array[:, rows] if array.ndim > 2 else array[:, rows : rows + 1]

    def _model_field(self, name: str) -> str:
        for prefix in _MODEL[self._kind]:
            try:
                self._batch.model.field(prefix + name)
            except AttributeError:
                continue
            return prefix + name
        near = difflib.get_close_matches(name, dir(self), n=3)
        raise AttributeError(f"a {self._kind} has no {name!r}: " + (f"did you mean {' or '.join(map(repr, near))}?" if near else
                             f"{', '.join(_DATA[self._kind])}, and the fields of the model"))

    def __dir__(self) -> list[str]:
        fields = _fields.all_model_fields()
        own = (name[len(prefix):] for prefix in _MODEL[self._kind] for name in fields if name.startswith(prefix))
        return sorted({"id", "name", *_DATA[self._kind], *own})

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
        if self._kind == "numeric" and field == "numeric_data":
            return _part(model.numeric_adr[i], model.numeric_size[i])
        return i

    def __repr__(self) -> str:
        return f"<{self._kind} {self.name or self._id} of {self._batch!r}>"


def _part(start: int, length: int) -> slice:
    return slice(int(start), int(start) + int(length)) if length > 0 else slice(0, 0)


def _as_rows(value: Any, shape: tuple[int, ...]) -> np.ndarray:
    """One number per simulation also fits where each has a row of one."""
    value = np.asarray(value)
    return value[:, None] if value.ndim == 1 and len(shape) == 2 and shape[1] == 1 and len(value) == shape[0] else value
