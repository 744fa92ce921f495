"""Domain randomisation: gains that balance a pole not only in the model, but in all worlds that the real one may be.

    python randomise.py

Candidates for four gains are tried in many worlds at once by the cross-entropy method: a batch holds every candidate in every world. Gains
that were chosen in the model alone are compared with gains that were chosen in randomised worlds, on worlds that neither has seen.
"""

import numpy as np

import sinew

CART = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.5"/>
      <geom type="box" size=".15 .1 .05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0 0 0 .8" size=".02" mass=".2"/>
      </body>
    </body>
  </worldbody>
  <actuator><general joint="slide" dyntype="filter" dynprm=".02" gainprm="10" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>
"""

CANDIDATES, WORLDS, GENERATIONS, STEPS = 64, 16, 15, 300


def randomise(batch, rng, worlds):
    """Gives simulation i the world i % worlds: masses, friction of the cart, strength and slowness of its motor."""
    def spread(low, high, *shape):
        return np.resize(np.exp(rng.uniform(np.log(low), np.log(high), (worlds, *shape))), (len(batch), *shape))

    mass = spread(0.4, 2.5, 2)
    batch.expand("body_mass")[:, 1:] *= mass
    batch.expand("body_inertia")[:, 1:] *= mass[:, :, None]
    batch.expand("dof_damping")[:] *= spread(0.2, 10, 2)
    batch.expand("actuator_gainprm")[:, 0, 0] *= spread(0.5, 2)
    batch.expand("actuator_dynprm")[:, 0, 0] *= spread(0.5, 8)
    batch.set_const()


def costs(batch, gains, rng):
    """Mean cost of each simulation under its row of gains; a pole that has fallen costs most."""
    batch.reset()
    batch.qpos[:, 1] = rng.choice([-1, 1], len(batch)) * 0.2
    total, fallen = np.zeros(len(batch)), np.zeros(len(batch), bool)
    for _ in range(STEPS):
        state = np.concatenate((batch.qpos, batch.qvel), axis=1)
        batch.ctrl[:, 0] = np.clip((gains * state).sum(axis=1), -1, 1)
        batch.step()
        fallen |= np.abs(batch.qpos[:, 1]) > 0.8
        total += np.where(fallen, 3.0, 10 * batch.qpos[:, 1] ** 2 + batch.qpos[:, 0] ** 2)
    return total / STEPS, fallen


def search(randomised, seed):
    """The gains that the cross-entropy method ends with."""
    rng = np.random.default_rng(seed)
    worlds = WORLDS if randomised else 1
    mean, deviation = np.array([0.0, 1.0, 0.0, 0.0]), np.full(4, 2.0)
    for _ in range(GENERATIONS):
        batch = sinew.Batch(CART, CANDIDATES * worlds)
        if randomised:
            randomise(batch, rng, worlds)
        candidates = rng.normal(mean, deviation, (CANDIDATES, 4))
        cost, _ = costs(batch, np.repeat(candidates, worlds, axis=0), rng)
        best = candidates[cost.reshape(CANDIDATES, worlds).mean(axis=1).argsort()[: CANDIDATES // 8]]
        mean, deviation = best.mean(axis=0), best.std(axis=0) + 0.02
    return mean


def main():
    rng = np.random.default_rng(1)
    unseen = sinew.Batch(CART, 1000)
    randomise(unseen, rng, 1000)
    for name, randomised in (("in the model", False), ("in randomised worlds", True)):
        gains = search(randomised, seed=0)
        cost, fallen = costs(unseen, np.tile(gains, (1000, 1)), np.random.default_rng(2))
        print(f"chosen {name:20}  gains {np.array2string(gains, precision=2, suppress_small=True)}: "
              f"falls in {fallen.mean():.1%} of 1000 unseen worlds, cost {cost.mean():.3f}")


if __name__ == "__main__":
    main()
