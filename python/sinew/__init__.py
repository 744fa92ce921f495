"""Sinew: a physics engine for robots that runs MuJoCo's models, programs and Python scripts.

A script that uses the `mujoco` package, version 3.5.0, runs on it in two ways:

    python -m sinew script.py            # the script as it is

    import sinew; sinew.use()            # or from inside, before the first `import mujoco`
    import mujoco

Thousands of simulations at once, as arrays:

    batch = sinew.Batch("humanoid.xml", 1024)
    batch.ctrl[:] = 0.1
    batch.step()
    print(batch.qpos)

`sinew.doctor()` tells what runs on what.
"""

from sinew._batch import Batch, SimulationError
from sinew._device import DeviceArray
from sinew._doctor import doctor
from sinew._dropin import REFERENCE_VERSION, pytest_load_initial_conftests, use
from sinew._hooks import Data, Random
from sinew._library import include, kernels, library, scenes, version
from sinew._model import Model, load
from sinew._view import View, view

__all__ = ["REFERENCE_VERSION", "Batch", "Data", "DeviceArray", "Model", "Random", "SimulationError", "View", "doctor", "include", "kernels", "library",
           "load", "scenes", "use", "version", "view"]
__version__ = version()
