"""The names of `mujoco.batch` of newer MuJoCo releases: a script moves over by `from sinew import batch` instead of `from mujoco import batch`.

`DATA_FIELDS` and `MODEL_FIELDS` are the names that `Batch.bind` and `Batch.expand` take. What differs is listed in docs/python.md.
"""

from typing import Any

from sinew import _fields
from sinew._batch import Batch, SimulationError

__all__ = ["DATA_FIELDS", "MODEL_FIELDS", "Batch", "SimulationError"]

DATA_FIELDS: frozenset[str]
MODEL_FIELDS: frozenset[str]


def __getattr__(name: str) -> Any:
    # made when they are first asked for: that takes a model and a batch
    if name in ("DATA_FIELDS", "MODEL_FIELDS"):
        return _fields.data_fields() if name == "DATA_FIELDS" else _fields.model_fields()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
