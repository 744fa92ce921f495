#!/usr/bin/env python3
"""api_status.py [--summary] LIBRARY: compares the functions that the headers declare with those that the library exports,
prints the missing ones and writes docs/API.md; with --summary it only prints the counts."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def declared():
    """Names that the public headers mark MJAPI: functions and variables."""
    text = "\n".join(p.read_text() for p in sorted((ROOT / "include/mujoco").glob("*.h")))
    text = re.sub(r"//[^\n]*", "", text)
    functions, variables = set(), set()
    for statement in re.findall(r"MJAPI([^;]*);", text):
        if "extern" in statement.split():
            variables.add(re.search(r"(\w+)\s*(\[[^;]*|\)\([^)]*\))?\s*$", statement).group(1))
        else:
            name = re.search(r"(mj[a-z]*_\w+)\s*\(", statement)
            if name:
                functions.add(name.group(1))
    return functions, variables


def exported(library):
    """Names that the library defines for others."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in lines.splitlines()}


def main():
    functions, variables = declared()
    have = exported(sys.argv[-1])
    if "--summary" in sys.argv:
        print(f"API: {len(functions & have)} of {len(functions)} functions, "
              f"{len(variables & have)} of {len(variables)} variables")
        return
    families = {}
    for name in sorted(functions):
        families.setdefault(name.split("_")[0] + "_", []).append(name)
    done = functions & have
    out = ["# API status", "", "Written by `make api-status`; a function that is not implemented is not exported.", "",
           f"Functions: {len(done)} of {len(functions)}. Variables: {len(variables & have)} of {len(variables)}.", "",
           "| family | done | of |", "| --- | --- | --- |"]
    for family, names in sorted(families.items()):
        out.append(f"| {family} | {len(set(names) & have)} | {len(names)} |")
    missing = sorted(functions - have) + sorted(variables - have)
    if missing:
        out += ["", "## Missing", ""] + [f"- `{name}`" for name in missing]
    (ROOT / "docs/API.md").write_text("\n".join(out) + "\n")
    print("\n".join(out))


main()
