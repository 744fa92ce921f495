#!/usr/bin/env python3
"""bench_batch.py BUILD [FOLDER]: times batches against mujoco.rollout 3.5.0 and mujoco.batch of the newest release.

Writes docs/batch-speed.md. FOLDER holds public models (gymnasium/, menagerie/, mujoco/); without it only scenes/ are timed.
The newest release is installed below BUILD when it is missing. All take turns, pinned to one core, under the same controls.
"""
import os
import statistics
import subprocess
import sys
import tempfile

import bench

NSIM, ROUNDS, SECONDS = 1024, 5, 0.2

PUBLIC = {
    "inverted pendulum": "gymnasium/inverted_pendulum.xml",
    "reacher": "gymnasium/reacher.xml",
    "hopper": "gymnasium/hopper.xml",
    "half cheetah": "gymnasium/half_cheetah.xml",
    "iiwa": "menagerie/kuka_iiwa_14/scene.xml",
    "ant": "gymnasium/ant.xml",
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "cassie": "menagerie/agility_cassie/scene.xml",
    "shadow hand": "menagerie/shadow_hand/scene_right.xml",
}
OWN = {name: f"scenes/{name}.xml" for name in ("hopper", "quadruped", "humanoid", "gripper_arm")}

PAGE = """# Speed of batches

Written by `make bench-batch`; do not edit.

{nsim} simulations, steps per second of one core, and how often that is those of the peers.

{table}

## How it was measured

- **Machine:** {machine}. **Date:** {date}. **Revision:** {revision}.
- **Ours:** `sn_batchStep`, a call per step with new controls; `libsinew.so`, kernels chosen by the CPU.
- **Loop:** `mj_step` of our library, an `mjData` per simulation, one simulation after the other: what a batch costs beside its steps.
- **Rollout:** `mujoco.rollout` 3.5.0, one call for all steps. **Batch:** `mujoco.batch` {newest}, a call per step as ours.
- Every one starts from the initial state, under the same random controls, and is pinned to the same core. They take turns;
  time is that of the processor; the ratio is the median over {rounds} rounds of {seconds} s or more.
- **Reset:** `mj_resetData` of {nsim} `mjData` over `sn_batchReset` of {nsim} simulations.
- **Two threads:** processor time of one thread over half of that of two, waiting included: how much faster two threads
  are where two cores are free.

To measure here: `make bench-batch`, with public models `make bench-batch MODELS=folder`.
"""


class Player:
    """A program that runs on request."""

    def __init__(self, command, core):
        pin = ["taskset", "-c", str(core)] if core is not None else []
        self.process = subprocess.Popen([*pin, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, request="run"):
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(" ".join(self.process.args))
        cpu, wall, _ = map(float, line.split())
        return cpu, wall

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def newest_python(build):
    folder = f"{build}/newest"
    if not os.path.exists(f"{folder}/bin/python"):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([f"{folder}/bin/pip", "install", "-q", "--disable-pip-version-check", "mujoco"], check=True)
    return f"{folder}/bin/python"


def controls(python, model, path, nstep):
    """Writes the controls of a model, uniform in their ranges."""
    code = (f"import mujoco, numpy as np\nm = mujoco.MjModel.from_xml_path({model!r})\n"
            "r = np.where(m.actuator_ctrllimited[:, None], m.actuator_ctrlrange, [-1, 1])\n"
            f"u = np.random.default_rng(1).uniform(r[:, 0], r[:, 1], ({nstep}, {NSIM}, m.nu))\n"
            f"u.tofile({path!r})\n")
    subprocess.run([python, "-c", code], check=True)


def time_model(build, model, scratch):
    """Row of the table: steps per second, ratios."""
    python, newest = f"{build}/oracle/bin/python", newest_python(build)
    path = f"{scratch}/controls"
    ours = [f"{build}/release/bench/bench_batch", f"{build}/release/libsinew.so", model, path]

    # as many steps as take the time of a round
    controls(python, model, path, 2)
    probe = Player([*ours, "2", str(NSIM), "1"], 0)
    probe.run("batch")
    nstep = max(4, int(SECONDS / (probe.run("batch")[0] / 2)))
    probe.close()
    controls(python, model, path, nstep)

    common = [model, path, str(nstep), str(NSIM), "1"]
    mine = Player([*ours, str(nstep), str(NSIM), "1"], 0)
    peers = {"rollout": Player([python, "bench/batch_peer.py", "rollout", *common], 0),
             "batch": Player([newest, "bench/batch_peer.py", "batch", *common], 0)}
    times = {name: [] for name in ("ours", "loop", "reset", *peers)}
    for _ in range(ROUNDS):
        own = mine.run("batch")[0]
        times["ours"].append(own)
        times["loop"].append(mine.run("loop")[0] / own)
        times["reset"].append(mine.run("resets")[0] / mine.run("reset")[0])
        for name, peer in peers.items():
            times[name].append(peer.run()[0] / own)
    for player in (mine, *peers.values()):
        player.close()
    row = {name: statistics.median(values) for name, values in times.items()}
    row["rate"] = nstep * NSIM / row["ours"]

    # one and two threads, free to run anywhere
    players = [Player([*ours, str(nstep), str(NSIM), str(n)], None) for n in (1, 2)]
    spent = [[player.run("batch")[0] for player in players] for _ in range(ROUNDS)]
    row["threads"] = 2 * statistics.median(one / two for one, two in spent)
    for player in players:
        player.close()
    return row


def main():
    build, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    models = {f"{name} (scenes)": path for name, path in OWN.items()}
    if folder:
        models = {**{name: f"{folder}/{path}" for name, path in PUBLIC.items()}, **models}
    lines = ["| model | steps/s | × rollout 3.5.0 | × batch | × loop | reset | two threads |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    with tempfile.TemporaryDirectory() as scratch:
        for name, path in models.items():
            row = time_model(build, path, scratch)
            lines.append(f"| {name} | {row['rate']:,.0f} | {row['rollout']:.2f} | {row['batch']:.2f} | {row['loop']:.2f} | "
                         f"{row['reset']:.0f}× | {row['threads']:.2f}× |")
            print(lines[-1], flush=True)
    version = subprocess.run([newest_python(build), "-c", "import mujoco; print(mujoco.__version__)"], check=True,
                             capture_output=True, text=True).stdout.strip()
    page = PAGE.format(nsim=NSIM, table="\n".join(lines), machine=bench.machine(), date=bench.facts(build)["date"],
                       revision=bench.facts(build)["revision"], newest=version, rounds=ROUNDS, seconds=SECONDS)
    with open("docs/batch-speed.md", "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
