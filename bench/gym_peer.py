"""gym_peer.py KIND ENVIRONMENT ENVS: steps vector environments on request, for scripts/bench_gym.py.

KIND is sinew, async (Gymnasium's AsyncVectorEnv, a process per environment), sync (its environments one after the other in this process)
or envpool. A line with a number asks for so many steps of
all environments; the answer is processor time, with that of worker processes, and wall time in seconds.
"""
import os
import sys
import time

import numpy as np

THREADS = 2


def make(kind, name, n):
    if kind == "envpool":
        import envpool
        return envpool.make(f"{name}-v5", env_type="gymnasium", num_envs=n, num_threads=THREADS)
    import gymnasium
    if kind == "sinew":
        import sinew.gym
        return gymnasium.make_vec(f"sinew/{name}-v5", num_envs=n, nthread=THREADS)
    return gymnasium.make_vec(f"{name}-v5", num_envs=n, vectorization_mode=kind)


def processor_time():
    """Of this process and of those that it started."""
    me, tick, total = os.getpid(), os.sysconf("SC_CLK_TCK"), time.process_time()
    with open(f"/proc/{me}/task/{me}/children", encoding="ascii") as file:
        children = file.read().split()
    for child in children:
        with open(f"/proc/{child}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / tick
    return total


def main():
    kind, name, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    envs = make(kind, name, n)
    envs.reset(seed=0) if kind != "envpool" else envs.reset()
    space = envs.action_space
    low, high = (space.low[0], space.high[0]) if space.low.ndim == 2 else (space.low, space.high)
    actions = np.random.default_rng(0).uniform(low, high, (64, n, len(low))).astype(space.dtype)
    for line in sys.stdin:
        cpu, wall = processor_time(), time.perf_counter()
        for t in range(int(line)):
            envs.step(actions[t % len(actions)])
        wall = time.perf_counter() - wall
        print(processor_time() - cpu, wall, flush=True)


if __name__ == "__main__":
    main()
