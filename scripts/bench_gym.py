#!/usr/bin/env python3
"""bench_gym.py BUILD: times sinew.gym against Gymnasium's AsyncVectorEnv on the reference and against EnvPool; writes docs/gym-speed.md.

Uses the environment that `make wheel` made; EnvPool is installed below BUILD when it is missing. All take turns.
"""
import os
import statistics
import subprocess
import sys

import bench
import bench_batch

NAMES = ("HalfCheetah", "Hopper", "Ant", "Humanoid")
NENV, WORKERS, ROUNDS, SECONDS = 1024, 2, 7, 0.4

PAGE = """# Speed of environments

Written by `make bench-gym`; do not edit.

`sinew.gym` with {nenv} environments and two threads; steps of one environment per second, and how often that is those of the peers.

{table}

`sn_batchStep` for 1024 humanoids takes {full:.1f} ms of processor time when it is called from C; Python adds {empty:.1f} µs, {percent:.2f} %.

## How it was measured

- **Machine:** {machine}. **Date:** {date}. **Revision:** {revision}.
- **Ours:** `gymnasium.make_vec("sinew/…-v5", num_envs={nenv}, nthread=2)`, random actions, episodes begin again as they end.
- **Async:** `gymnasium.make_vec("…-v5", num_envs={workers}, vectorization_mode="async")`: {workers} worker processes, Gymnasium {gymnasium}, MuJoCo 3.5.0.
- **Sync:** the same two environments one after the other in one process: the engine and Gymnasium's Python, without what processes say to each other.
- **EnvPool:** {envpool}, `num_envs={nenv}`, `num_threads=2`, the same environments.
- They take turns for {rounds} rounds of about {seconds} s; ratios are medians over the rounds. *Processor* counts the time that all
  threads and processes of a player computed for a step of an environment: what else the machine does hardly changes it, except that of *async*, whose
  processes wake each other for every step, which costs more on a busy machine. *Wall* is the time on the clock, with what else the machine does.
- **Load** of the machine, besides: {load:.1f}.

## Where the time goes

Microseconds of processor time for a step of one environment, one thread, random actions; × is what the physics takes of the design before, measured in turns on another
machine (Xeon with AVX-512, 256 environments, load 30), with the same bits.

| design | Ant | Humanoid |
| --- | ---: | ---: |
| four of five substeps side by side, the last one by one, because `cfrc_ext`, `cinert` and velocities of tendons are read after it | 83 | 116 |
| all five [side by side](lanes.md): inertias and velocities from the lanes, forces of contacts from the solver of the last evaluation | 63 | 79 |
| of the constraints only what results need: boxes of pairs and the accelerations of PGS for all lanes at once, no arrays of islands for a single tree, no states of PGS | × 0.93 | × 0.83 |
| of it NumPy and Python: observations, rewards, episodes that begin. In C they would gain no more than this | 1.6 | 3.1 |

The rest is physics, which these environments make twenty times a step: five substeps of Runge-Kutta, four evaluations each. Samples of the running program: in
the ant 40 % is Newton's solver and 10 % its rows, one simulation at a time, because simulations differ in what they touch; a third is the lanes. In the humanoid 25 % is
the solver, PGS with 50 iterations as the model asks. Two workers of `AsyncVectorEnv` compute on two cores, so that ten times their speed is ten times the speed of a core.
Beside one environment of Gymnasium's alone in a process, all four are about five times as fast (Ant 4.8, Humanoid 4.9, HalfCheetah 5.1, Hopper 5.2: AMD EPYC family 26, least
processor time of 25 rounds). What × async has beyond that is what its processes take to wake each other: much of a short step, little of a long one.

To measure here: `make bench-gym`.
"""


class Player(bench_batch.Player):
    """Environments that make steps on request."""

    def __init__(self, python, kind, name, nenv):
        super().__init__([python, "bench/gym_peer.py", kind, name, str(nenv)], None)
        self.nenv, self.count = nenv, 2
        self.steps()
        self.count = max(4, int(SECONDS / (self.steps()[1] * nenv)))  # as many as take the time of a round

    def steps(self):
        """Seconds of processor and of wall per step of one environment."""
        return [seconds / (self.count * self.nenv) for seconds in self.ask(str(self.count))]


def time_environment(own, other, name):
    players = {"ours": Player(own, "sinew", name, NENV), "async": Player(own, "async", name, WORKERS), "sync": Player(own, "sync", name, WORKERS),
               "envpool": Player(other, "envpool", name, NENV)}
    rounds = [{kind: player.steps() for kind, player in players.items()} for _ in range(ROUNDS)]
    for player in players.values():
        player.close()
    row = {(kind, clock): statistics.median(r[kind][clock] / r["ours"][clock] for r in rounds) for kind in ("async", "sync", "envpool") for clock in (0, 1)}
    return {**row, "wall": 1 / statistics.median(r["ours"][1] for r in rounds), "cpu": 1 / statistics.median(r["ours"][0] for r in rounds)}


def main():
    build, load = sys.argv[1], os.getloadavg()[0]
    own, other = f"{build}/wheel-venv/bin/python", bench_batch.python_with(build, "envpool", "envpool")
    if not other:
        sys.exit("bench_gym: EnvPool cannot be installed")
    lines = ["| environment | steps/s of the processor | steps/s on the clock | × async, processor | × async, wall | × sync, processor | × EnvPool, processor | × EnvPool, wall |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name in NAMES:
        row = time_environment(own, other, name)
        columns = (("async", 0), ("async", 1), ("sync", 0), ("envpool", 0), ("envpool", 1))
        ratios = (f"{row[column]:.1f}" for column in columns)
        lines.append(f"| {name} | {row['cpu']:,.0f} | {row['wall']:,.0f} | {' | '.join(ratios)} |")
        print(lines[-1], flush=True)
    full, empty = map(float, subprocess.run([own, "bench/call_peer.py"], check=True, capture_output=True, text=True).stdout.split())
    page = PAGE.format(load=load, full=full, empty=empty, percent=empty / full / 10, nenv=NENV, workers=WORKERS, table="\n".join(lines), machine=bench.machine(), date=bench.date(),
                       revision=bench.revision(),
                       gymnasium=bench_batch.version_of(own, "gymnasium"), envpool=bench_batch.version_of(other, "envpool"), rounds=ROUNDS, seconds=SECONDS)
    with open("docs/gym-speed.md", "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
