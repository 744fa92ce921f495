"""Sinew: a physics engine for robots that runs MuJoCo's models, programs and Python scripts.

Two ways to use it from a script that uses the `mujoco` package, version 3.5.0:

    python -m sinew script.py            # the script as it is

    import sinew; sinew.use()            # or from inside, before the first `import mujoco`
    import mujoco

`sinew.doctor()` tells what runs on what.
"""

from sinew._doctor import doctor
from sinew._dropin import REFERENCE_VERSION, pytest_load_initial_conftests, use
from sinew._library import include, kernels, library, scenes, version

__all__ = ["REFERENCE_VERSION", "doctor", "include", "kernels", "library", "scenes", "use", "version"]
__version__ = version()
