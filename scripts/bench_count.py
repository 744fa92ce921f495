#!/usr/bin/env python3
"""Counts the instructions of short runs with callgrind and compares them with the committed table bench/counts.txt.

  bench_count.py BUILD           compare: exit status 1 when a run needs more than 2 % above the table
  bench_count.py BUILD --update  write the table anew

Counts are exact and repeatable for one compiler; with another one than the table's the comparison is shown but never
fails. What a line of the source costs is added to the folder of src/ that it stands in, however it was inlined.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE = pathlib.Path("bench/counts.txt")
ALLOWED = 1.02

# scene and steps; 0 steps counts loading. Together they spend time in every stage.
RUNS = [
    ("humanoid", 100), ("quadruped", 100), ("hand", 100), ("car", 100), ("dominoes", 60), ("mesh_pile", 200),
    ("card_house", 20), ("terrain", 300), ("cable_robot", 100), ("muscle_arm", 100), ("swimmer", 200),
    ("sensor_bench", 60), ("sleepers", 60), ("engine", 60), ("workshop", 0),
]

# columns of the table, by folder of src/; the rest is "other" (the C library, what a run spends elsewhere)
GROUPS = ["kinematics", "dynamics", "collision", "constraint", "solver", "force", "sensor", "step", "math", "load"]
GROUP_OF = {"sleep": "step", "derivative": "step", "model": "step", "base": "step", "batch": "step", "physics": "force",
            "compile": "load", "spec": "load", "xml": "load", "asset": "load"}


def folder(path):
    found = re.search(r"/src/([a-z]+)/", path)
    if not found:
        return "other"
    name = GROUP_OF.get(found.group(1), found.group(1))
    return name if name in GROUPS else "other"


def parse(text):
    """Instructions by group of one callgrind file: own costs only, by the file that the line comes from."""
    names, totals, current, skip = {}, collections.Counter(), "", False
    for line in text.splitlines():
        found = re.match(r"(c?)(?:fl|fi|fe)=\((\d+)\)(?: (.*))?$", line)
        if found:
            called, number, name = found.groups()
            if name:
                names[number] = name
            if not called:
                current = names[number]
        elif line.startswith("calls="):
            skip = True  # the next line is the cost of what was called, counted there
        elif re.match(r"[+\-*\d]", line):
            if not skip:
                totals[folder(current)] += int(line.split()[1])
            skip = False
    return totals


def count(build, scene, steps):
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-pos=no",
                   f"--toggle-collect={'mj_step' if steps else 'mj_loadXML'}",
                   f"{build}/release/bench/bench_count", f"{build}/release/libsinew.so", f"scenes/{scene}.xml", str(steps)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"bench_count: {scene}: {done.stderr}")
        return parse(out.read_text())


def compiler():
    return subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()


def write(rows):
    lines = [f"# thousand instructions a step (a load where steps are 0), gcc {compiler()}; written by make bench-count",
             "# " + " ".join(["run".ljust(14), "steps".rjust(6), "total".rjust(9)] + [g.rjust(10) for g in GROUPS + ["other"]])]
    for (scene, steps), groups in rows:
        per = max(steps, 1) * 1000
        cells = [f"{sum(groups.values()) / per:9.1f}"] + [f"{groups[g] / per:10.1f}" for g in GROUPS + ["other"]]
        lines.append("  " + " ".join([scene.ljust(14), str(steps).rjust(6)] + cells))
    TABLE.write_text("\n".join(lines) + "\n")


def read():
    if not TABLE.exists():
        sys.exit(f"bench_count: {TABLE} is missing; make bench-count UPDATE=1 writes it")
    lines = TABLE.read_text().splitlines()
    version = re.search(r"gcc ([\d.]+)", lines[0]).group(1)
    return version, {line.split()[0]: [float(x) for x in line.split()[2:]] for line in lines[2:]}


def main():
    build = sys.argv[1]
    rows = [((scene, steps), count(build, scene, steps)) for scene, steps in RUNS]
    if "--update" in sys.argv:
        write(rows)
        return
    version, before = read()
    worse = 0
    for (scene, steps), groups in rows:
        now, old = sum(groups.values()) / max(steps, 1) / 1000, before[scene][0]
        mark = "  more than allowed" if now > ALLOWED * old else ""
        worse += bool(mark)
        print(f"{scene:14} {now:9.1f} {old:9.1f}  {now / old - 1:+7.2%}{mark}")
    if version != compiler():
        print(f"bench_count: the table is of gcc {version}, this is {compiler()}: shown only")
    elif worse:
        sys.exit(f"bench_count: {worse} runs need over 2 % more than {TABLE}; find out why, or make bench-count UPDATE=1")


main()
