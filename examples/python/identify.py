"""System identification: masses, damping and rotor inertia of an arm from a recorded motion.

    python identify.py

The unknowns are fitted by Gauss-Newton steps with damping (Levenberg-Marquardt). Each step needs the motion with the present values and
with each of them changed a little: one batch, a simulation per motion.
"""

import numpy as np

import sinew

ARM = """
<mujoco>
  <option integrator="implicitfast"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.5" armature="0.02"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".03" mass="1"/>
      <body name="lower" pos="0 0 -.4">
        <joint name="elbow" axis="0 1 0" damping="0.5" armature="0.02"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".02" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="shoulder" joint="shoulder" gear="10"/>
    <motor name="elbow" joint="elbow" gear="10"/>
  </actuator>
  <sensor><jointpos joint="shoulder"/><jointpos joint="elbow"/></sensor>
</mujoco>
"""

UNKNOWN = ("mass of upper", "mass of lower", "damping of shoulder", "damping of elbow", "armature of both")
TRUTH = np.array([1.6, 0.7, 0.8, 0.3, 0.05])
GUESS = np.array([1.0, 1.0, 0.5, 0.5, 0.02])
SECONDS, SUBSTEPS = 2.0, 5


def motions(values, control):
    """Readings (simulations, time, 2) with a row of unknown values per simulation."""
    batch = sinew.Batch(ARM, len(values))
    scale = values[:, :2] / batch.model.body_mass[1:]
    batch.expand("body_mass")[:, 1:] *= scale
    batch.expand("body_inertia")[:, 1:] *= scale[:, :, None]
    batch.expand("dof_damping")[:] = values[:, 2:4]
    batch.expand("dof_armature")[:] = values[:, 4:]
    batch.set_const()
    repeated = np.broadcast_to(control, (len(values), *control.shape))
    return batch.rollout(control=repeated, record=["sensordata"], substeps=SUBSTEPS)["sensordata"]


def residuals(values, control, measured):
    return (motions(values, control) - measured).reshape(len(values), -1)


def main():
    t = np.arange(0, SECONDS, 0.002 * SUBSTEPS)
    control = np.stack((0.3 * np.sin(3 * t + t**2), 0.1 * np.cos(7 * t)), axis=1)
    rng = np.random.default_rng(0)
    measured = motions(TRUTH[None], control)[0] + 1e-3 * rng.standard_normal((len(t), 2))  # radians, from a noisy encoder

    values, damping = GUESS, 1e-3
    error = np.square(residuals(values[None], control, measured)).sum()
    for iteration in range(20):
        # one simulation per unknown, all changed by a millionth, and one as it is
        change = 1e-6 * values
        rows = residuals(np.vstack((values, values + np.diag(change))), control, measured)
        jacobian, residual = ((rows[1:] - rows[0]) / change[:, None]).T, rows[0]

        # steps of eight lengths at once; the best is taken
        normal, slope = jacobian.T @ jacobian, jacobian.T @ residual
        factors = damping * np.logspace(-2, 5, 8)
        trials = np.array([values - np.linalg.solve(normal + f * np.diag(np.diag(normal)), slope) for f in factors])
        trials = np.maximum(trials, 1e-3)
        errors = np.square(residuals(trials, control, measured)).sum(axis=1)
        best = errors.argmin()
        print(f"iteration {iteration:2d}: {1e3 * np.sqrt(errors[best] / measured.size):8.3f} mrad away")
        if errors[best] > error * (1 - 1e-6):
            break
        values, error, damping = trials[best], errors[best], factors[best]

    for name, value, truth in zip(UNKNOWN, values, TRUTH):
        print(f"{name:20} {value:6.3f}   (was {truth})")


if __name__ == "__main__":
    main()
