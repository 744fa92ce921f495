#!/usr/bin/env python3
"""bench_batch.py BUILD [FOLDER [MODEL.xml …]]: times batches against mujoco.rollout 3.5.0, mujoco.batch of the newest release and EnvPool.

Writes docs/batch-speed.md. FOLDER holds public models (gymnasium/, menagerie/, mujoco/) and may hold rigid.txt, a list of models that
are all timed against mujoco.rollout; without it only scenes/ are timed. The newest release and EnvPool are installed below BUILD when they
are missing; without EnvPool its column is empty. All take turns, pinned to one core, under the same controls.
With names of models of the list only their rows are measured again, and the page says when.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

import bench

NSIM, ROUNDS, SECONDS = 1024, 5, 0.2
LISTED = 64  # simulations of each model of the list, whose loop has an mjData for each
LIST_ROUNDS = 9

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
TASKS = {"inverted pendulum": "InvertedPendulum-v5", "reacher": "Reacher-v5", "hopper": "Hopper-v5",
         "half cheetah": "HalfCheetah-v5", "ant": "Ant-v5"}
OWN = {name: f"scenes/{name}.xml" for name in ("hopper", "quadruped", "humanoid", "gripper_arm")}

PAGE = """# Speed of batches

Written by `make bench-batch`; do not edit.

{nsim} simulations, steps per second of one core, and how often that is those of the peers.

{table}
{listed}
## How it was measured

- **Machine:** {machine}. **Date:** {date}. **Revision:** {revision}.
- **Ours:** `sn_batchStep`, a call per step with new controls; `libsinew.so`, kernels chosen by the CPU. **Lanes:** how many simulations run
  [side by side](lanes.md), as measured when the batch was made.
- **Loop:** `mj_step` of our library, an `mjData` per simulation, one simulation after the other.
- **Rollout:** `mujoco.rollout` 3.5.0, one call for all steps. **Batch:** `mujoco.batch` {newest}, a call per step as ours.
- **EnvPool:** {envpool}, the task of that name, whose step makes several of the physics and an observation; per step of the physics, from its own random states.
- Nobody asked for sensors or other derived fields: `mujoco.rollout` computes sensors anyway, lanes do not.
- Every one starts from the initial state, under the same random controls, and is pinned to the same core. They take turns;
  time is that of the processor; the ratio is the median over {rounds} rounds of as many steps as take {seconds} s one by one.
- **Memory:** bytes of a simulation of the batch over those of an `mjData` (its struct, its buffer and what the first step takes of its arena).
- **Reset:** `mj_resetData` of {nsim} `mjData` over `sn_batchReset` of {nsim} simulations.
- **Two threads:** processor time of one thread over half of that of two, waiting included: how much faster two threads
  are where two cores are free.

To measure here: `make bench-batch`, with public models `make bench-batch MODELS=folder`; some models of the list again:
`make bench-batch MODELS="folder gymnasium/ant.xml"`.
"""

LIST = """
## All public models

{nsim} simulations each, medians of {rounds} rounds. Like is compared with like: one call for all steps with one call for all steps (`sn_batchRollout`, `mujoco.rollout`, a loop
that makes all steps of a simulation before the next), a call per step with a loop that makes a step of each simulation in turn. Where both are 1
or more, a batch is no slower against the reference than a single simulation is. The last column is a call per step over the loop of the second, whose data stay in the cache and
whose branches the processor foresees.

| model | lanes | rollout × rollout 3.5.0 | rollout × loop | steps × steps in turn | steps × loop |
| --- | ---: | ---: | ---: | ---: | ---: |
{table}

Lowest: {lowest}.
"""


class Player:
    """A program that runs on request."""

    def __init__(self, command, core):
        pin = ["taskset", "-c", str(core)] if core is not None else []
        self.process = subprocess.Popen([*pin, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request):
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        while line.startswith("WARNING") or line == "\n":  # of the library, when a simulation diverges
            line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(" ".join(self.process.args))
        return [float(word) for word in line.split()]

    def run(self, request="run"):
        return self.ask(request)[0]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def python_with(build, folder, *packages):
    """A Python below BUILD that has some packages; None where they cannot be installed."""
    folder = f"{build}/{folder}"
    if not os.path.exists(f"{folder}/bin/python"):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    marker = f"{folder}/installed"
    if not os.path.exists(marker):
        if subprocess.run([f"{folder}/bin/pip", "install", "-q", "--disable-pip-version-check", *packages]).returncode:
            return None
        with open(marker, "w", encoding="utf-8") as file:
            file.write(" ".join(packages))
    return f"{folder}/bin/python"


def version_of(python, package):
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def controls(python, model, path, nstep, nsim):
    """Writes the controls of a model, uniform in their ranges."""
    code = (f"import mujoco, numpy as np\nm = mujoco.MjModel.from_xml_path({model!r})\n"
            "r = np.where(m.actuator_ctrllimited[:, None], m.actuator_ctrlrange, [-1, 1])\n"
            f"u = np.random.default_rng(1).uniform(r[:, 0], r[:, 1], ({nstep}, {nsim}, m.nu))\n"
            f"u.tofile({path!r})\n")
    subprocess.run([python, "-c", code], check=True)


class Timing:
    """One model: our program and the controls of as many steps as it makes one by one in the time of a round."""

    def __init__(self, build, model, scratch, nsim):
        self.python = f"{build}/oracle/bin/python"
        self.model, self.nsim, self.path = model, nsim, f"{scratch}/controls"
        self.ours = [f"{build}/release/bench/bench_batch", f"{build}/release/libsinew.so", model, self.path]
        controls(self.python, model, self.path, 2, nsim)
        probe = Player([*self.ours, "2", str(nsim), "1", "-1"], 0)
        probe.run("batch")
        self.nstep = max(4, int(SECONDS / (probe.run("batch") / 2)))
        probe.close()
        controls(self.python, model, self.path, self.nstep, nsim)

    def player(self, nthread=1, core=0):
        return Player([*self.ours, str(self.nstep), str(self.nsim), str(nthread)], core)

    def peer(self, python, kind):
        return Player([python, "bench/batch_peer.py", kind, self.model, self.path, str(self.nstep), str(self.nsim), "1"], 0)

    def compare(self, mine, peers, requests, rounds=ROUNDS):
        """Medians: our seconds, and those of our other requests and of the peers over ours."""
        times = {name: [] for name in ("ours", *requests, *peers)}
        for _ in range(rounds):
            own = mine.run("batch")
            times["ours"].append(own)
            for request in requests:
                times[request].append(mine.run(request) / own)
            for name, peer in peers.items():
                times[name].append(peer.run() / own)
        return {name: statistics.median(values) for name, values in times.items()}


def time_model(build, name, model, scratch):
    """Row of the table: steps per second, ratios."""
    timing = Timing(build, model, scratch, NSIM)
    mine = timing.player()
    peers = {"rollout": timing.peer(timing.python, "rollout"),
             "batch": timing.peer(python_with(build, "newest", "mujoco"), "batch")}
    pool = python_with(build, "envpool", "envpool") if name in TASKS else None
    if pool:
        peers["envpool"] = Player([pool, "bench/batch_peer.py", "envpool", TASKS[name], str(timing.nstep), str(NSIM), "1"], 0)
    row = timing.compare(mine, peers, ["loop", "resets", "reset"])
    row["rate"] = timing.nstep * NSIM / row["ours"]
    row["resets"] /= row["reset"]
    row["bytes"], row["data"], row["lanes"] = mine.ask("memory")
    for player in (mine, *peers.values()):
        player.close()

    # one and two threads, free to run anywhere
    players = [timing.player(nthread, None) for nthread in (1, 2)]
    spent = [[player.run("batch") for player in players] for _ in range(ROUNDS)]
    row["threads"] = 2 * statistics.median(one / two for one, two in spent)
    for player in players:
        player.close()
    return row


def time_listed(build, model, scratch):
    """Ratios of one model of the list."""
    timing = Timing(build, model, scratch, LISTED)
    mine, peer = timing.player(), timing.peer(timing.python, "rollout")
    rounds, requests = [], ["batch", "rounds", "rollout", "loop", "peer"]
    for _ in range(LIST_ROUNDS):
        spent = {request: peer.run() if request == "peer" else mine.run(request) for request in requests}
        requests.reverse()  # what the machine does meanwhile then favours nobody
        rounds.append({"peer": spent["peer"] / spent["rollout"], "rollout": spent["loop"] / spent["rollout"],
                       "turn": spent["rounds"] / spent["batch"], "steps": spent["loop"] / spent["batch"]})
    row = {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}
    row["lanes"] = mine.ask("memory")[2]
    for player in (mine, peer):
        player.close()
    return row


COLUMNS = ("rollout × rollout 3.5.0", "rollout × loop", "steps × steps in turn")


def listed_row(build, folder, name, scratch):
    """A line of the list."""
    row = time_listed(build, f"{folder}/{name}", scratch)
    values = [row[key] for key in ("peer", "rollout", "turn", "steps")]
    line = f"| {name.removesuffix('.xml')} | {row['lanes']:.0f} | " + " | ".join(f"{value:.2f}" for value in values) + " |"
    print(line, flush=True)
    return line


def lowest_of(lines):
    """What is lowest in lines of the list, and where."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    least = [min((float(row[2 + k]), row[0]) for row in cells) for k in range(len(COLUMNS))]
    return ", ".join(f"{what} {value:.2f} ({name})" for what, (value, name) in zip(COLUMNS, least))


def renew(page, lines, date, revision):
    """The page with some lines of the list replaced, and when they were measured."""
    for line in lines:
        name = line.split("|")[1].strip()
        page, found = re.subn(rf"^\| {re.escape(name)} \|.*$", line, page, flags=re.M)
        if found != 1:
            raise SystemExit(f"the page has {found} rows of {name}")
    rows = re.findall(r"^\| \S+/\S+ \|.*\|$", page, re.M)
    page = re.sub(r"^Lowest: .*$", f"Lowest: {lowest_of(rows)}.", page, flags=re.M)
    again = [line.split("|")[1].strip() for line in lines]

    # earlier notes stay for the rows that they are still true of
    def rest(note):
        names = [name for name in note[2].split(", ") if name not in again]
        return f"{note[1]}: {', '.join(names)}.\n" if names else ""
    page = re.sub(r"^(- \*\*Measured again.*?): (\S+/.*)\.\n", rest, page, flags=re.M)
    note = f"- **Measured again** on {date}, {LIST_ROUNDS} rounds, revision {revision}: {', '.join(again)}.\n"
    return page.replace("- **Ours:**", f"{note}- **Ours:**", 1)


def table_of_list(build, folder, scratch):
    """The section about all models of rigid.txt, empty where there is none."""
    path = f"{folder}/rigid.txt"
    if not folder or not os.path.exists(path):
        return ""
    lines = []
    with open(path, encoding="utf-8") as file:
        names = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    for name in names:
        try:
            lines.append(listed_row(build, folder, name, scratch))
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print(f"{name}: {error}", flush=True)
    return LIST.format(nsim=LISTED, rounds=LIST_ROUNDS, table="\n".join(lines), lowest=lowest_of(lines))


def main():
    build, folder, again = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "", sys.argv[3:]
    if again:
        with tempfile.TemporaryDirectory() as scratch:
            lines = [listed_row(build, folder, name, scratch) for name in again]
        with open("docs/batch-speed.md", encoding="utf-8") as file:
            page = renew(file.read(), lines, f"{bench.date()} (load {os.getloadavg()[2]:.0f})", bench.revision())
        with open("docs/batch-speed.md", "w", encoding="utf-8") as file:
            file.write(page)
        return
    models = {f"{name} (scenes)": path for name, path in OWN.items()}
    if folder:
        models = {**{name: f"{folder}/{path}" for name, path in PUBLIC.items()}, **models}
    lines = ["| model | lanes | steps/s | × rollout 3.5.0 | × batch | × EnvPool | × loop | memory | reset | two threads |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    with tempfile.TemporaryDirectory() as scratch:
        for name, path in models.items():
            row = time_model(build, name, path, scratch)
            pool = f"{row['envpool']:.1f}" if "envpool" in row else ""
            lines.append(f"| {name} | {row['lanes']:.0f} | {row['rate']:,.0f} | {row['rollout']:.2f} | {row['batch']:.2f} | {pool} | "
                         f"{row['loop']:.2f} | {row['bytes'] / row['data']:.1%} | {row['resets']:.0f}× | {row['threads']:.2f}× |")
            print(lines[-1], flush=True)
        listed = table_of_list(build, folder, scratch)
    pool = python_with(build, "envpool", "envpool")
    page = PAGE.format(nsim=NSIM, table="\n".join(lines), listed=listed, machine=bench.machine(), date=bench.date(),
                       revision=bench.revision(), newest=version_of(python_with(build, "newest", "mujoco"), "mujoco"),
                       envpool=version_of(pool, "envpool") if pool else "not installed here", rounds=ROUNDS, seconds=SECONDS)
    with open("docs/batch-speed.md", "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
