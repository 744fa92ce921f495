#!/usr/bin/env python3
"""What choices of physics and of contacts cost where nothing is chosen: instructions of whole steps, counted by callgrind.

  overhead_test.py PROGRAM    (the sinew program; exit status 77 without valgrind)

Acceptance criteria that want no cost in the default path (42B AC8, 42D AC4, 42E AC4, 42F AC5): of all instructions of a
step less than 1 % stand in src/physics/, none of them in a model, and the stages call no function through its tables.
The same with the files of contacts that hold and of true shapes.
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

ALLOWED = 0.01

# scenes by criterion: a cloth that bends and stretches, actuators of every kind, contacts
CLOTH = """<mujoco><option timestep=".001"/><worldbody><body name="base"><flexcomp name="sheet" type="grid" dim="2"
  count="6 6 1" spacing=".1 .1 .1" radius=".001" mass=".1"><contact selfcollide="none"/><elasticity young="1e4"
  poisson=".3" thickness=".01" elastic2d="both"/></flexcomp></body></worldbody></mujoco>"""
SCENES = [("42B_AC8", None), ("42D_AC4", "scenes/servo_bench.xml"), ("42E_AC4", "scenes/quadruped.xml"),
          ("42F_AC5", "scenes/engine.xml"), ("contact", "scenes/mesh_pile.xml")]

# files of choices: of physics, and of contacts
CHOICES = re.compile(r"/src/(physics/|constraint/stick|collision/(exact|continuous|reduce))")


def parse(text):
    """Own instructions by source file, and by file and function."""
    files, functions, at, fn, skip = {}, {}, "", "", False
    cost = collections.Counter()
    for line in text.splitlines():
        found = re.match(r"(c?)(fl|fi|fe|fn)=\((\d+)\)(?: (.*))?$", line)
        if found:
            called, what, number, name = found.groups()
            table = functions if what == "fn" else files
            if name:
                table[number] = name
            if not called and what == "fn":
                fn = table[number]
            elif not called:
                at = table[number]
        elif line.startswith("calls="):
            skip = True  # the next line is the cost of what was called
        elif re.match(r"[+\-*\d]", line):
            if not skip:
                cost[at, fn] += int(line.split()[1])
            skip = False
    return cost


def count(program, scene, place):
    out = os.path.join(place, "out")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-pos=no",
               "--toggle-collect=mj_step", program, "run", scene, "--time", "0.03", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"overhead: {scene}: {done.stderr}")
    with open(out) as file:
        return parse(file.read())


def main():
    program = sys.argv[1]
    if not shutil.which("valgrind"):
        print("overhead: no valgrind, left out")
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        cloth = os.path.join(place, "cloth.xml")
        with open(cloth, "w") as file:
            file.write(CLOTH)
        for name, scene in SCENES:
            cost = count(program, scene or cloth, place)
            total = sum(cost.values())
            spent = {key: n for key, n in cost.items() if CHOICES.search(key[0])}
            models = [fn for (path, fn), n in spent.items() if re.search(r"/src/physics/[a-z]+/", path)]
            share = sum(spent.values()) / total
            good = total > 10000 and share < ALLOWED and not models
            failed += not good
            print(f"{'ok  ' if good else 'FAIL'} test_{name}_noCostWithoutChoice: {share:.3%} of {total} instructions, "
                  f"models called: {', '.join(models) or 'none'}")

        # the same count sees a model where one is chosen
        with open(cloth, "w") as file:
            file.write(CLOTH.replace("<flexcomp ", '<flexcomp sinew:bending="bridson" '))
        cost = count(program, cloth, place)
        seen = any("/src/physics/bending/" in path for path, _ in cost)
        failed += not seen
        print(f"{'ok  ' if seen else 'FAIL'} a chosen model is seen")
        files = {path for path, _ in count(program, "scenes/contact/nut.xml", place)}
        seen = any("/src/collision/exact" in path for path in files)
        failed += not seen
        print(f"{'ok  ' if seen else 'FAIL'} a chosen shape is seen")
    sys.exit(failed != 0)


main()
