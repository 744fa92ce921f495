#!/usr/bin/env python3
"""Checks that a source file includes only from its own folder or from those its folder stands on (docs/MAP.md)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "src"

# folder -> the folders it stands on directly; what those stand on is allowed too
STANDS_ON = {
    "base": [],
    "math": ["base"],
    "model": ["math"],
    "physics": ["model"],
    "sleep": ["model", "physics"],
    "kinematics": ["sleep"],
    "dynamics": ["kinematics"],
    "collision": ["kinematics"],
    "constraint": ["collision", "dynamics"],
    "force": ["constraint"],
    "solver": ["constraint"],
    "sensor": ["constraint"],
    "derivative": ["force"],
    "step": ["derivative", "solver", "sensor"],
    "batch": ["step"],
    "xml": ["base"],
    "spec": ["xml", "asset"],
    "asset": ["math"],
    "compile": ["spec", "asset", "step"],
    "decompile": ["compile"],
    "vis": ["force", "sensor"],
    "print": ["model"],
    "compat": ["compile", "vis", "print"],
    "render": ["model"],
    "ui": ["render"],
}


def closure(folder):
    seen, todo = {folder}, [folder]
    while todo:
        for below in STANDS_ON[todo.pop()]:
            if below not in seen:
                seen.add(below)
                todo.append(below)
    return seen


def main():
    allowed = {folder: closure(folder) for folder in STANDS_ON}
    wrong = 0
    for path in sorted(ROOT.rglob("*.[ch]")):
        folder = path.relative_to(ROOT).parts[0]
        if folder not in allowed:
            print(f"{path}: folder {folder} is not in the list of scripts/check_includes.py")
            wrong += 1
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not found:
                continue
            target = found.group(1).split("/")[0]
            if "/" not in found.group(1) or target not in allowed[folder]:
                print(f"{path}:{number}: {folder}/ may not include {found.group(1)}")
                wrong += 1
    sys.exit(1 if wrong else 0)


main()
