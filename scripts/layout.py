#!/usr/bin/env python3
"""Writes test/abi/layout.inc: sizes and offsets of the public structs, values of the public enumerators and sizes of
the public variables, as measured on the reference (x86-64 Linux).

usage: layout.py <layout.txt> <libmujoco.so.3.5.0> <folder of the reference's headers>
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HEADERS = ["mjmodel.h", "mjdata.h", "mjvisualize.h", "mjrender.h", "mjui.h", "mjspec.h", "mjplugin.h", "mjthread.h"]


def enumerators(folder):
    """names in all enum blocks of the headers"""
    names = []
    for header in HEADERS:
        text = re.sub(r"//[^\n]*", "", (folder / "mujoco" / header).read_text())
        for block in re.findall(r"typedef enum \w+ *\{(.*?)\}", text, re.S):
            names += re.findall(r"^\s*(\w+)", block, re.M)
    return names


def values(names, folder):
    """their values, by compiling a program against the headers"""
    lines = "\n".join(f'  printf("{name} %d\\n", (int){name});' for name in names)
    program = f"#include <stdio.h>\n#include <mujoco/mujoco.h>\nint main(void) {{\n{lines}\n}}\n"
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work) / "values.c"
        source.write_text(program)
        binary = source.with_suffix("")
        subprocess.run(["cc", "-w", f"-I{folder}", str(source), "-o", str(binary)], check=True)
        return subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.split("\n")


def variables(library):
    """public data symbols with their sizes"""
    found = subprocess.run(["nm", "-DS", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    for line in sorted(found.split("\n"), key=lambda l: l.split()[-1] if l else ""):
        part = line.split()
        if len(part) == 4 and part[2] in "BDR" and re.match(r"mj(u_user_|cb_|[A-Z]+(STRING|FUNC)$)", part[3]):
            yield part[3], int(part[1], 16)


def main():
    layout, library, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    out = ["// Made by scripts/layout.py; do not edit.",
           "// STRUCT(type, bytes) FIELD(type, field, offset, bytes) ENUM(name, value) VARIABLE(name, bytes)"]
    for line in pathlib.Path(layout).read_text().split("\n"):
        part = line.split()
        if len(part) == 3:
            out.append(f"STRUCT({part[0]}, {part[2]})")
        elif len(part) == 6:
            out.append(f"FIELD({part[0]}, {part[1][1:]}, {part[3]}, {part[5]})")
    out += ["ENUM({}, {})".format(*line.split()) for line in values(enumerators(folder), folder) if line]
    out += [f"VARIABLE({name}, {size})" for name, size in variables(library)]
    target = pathlib.Path(__file__).resolve().parent.parent / "test" / "abi" / "layout.inc"
    target.write_text("\n".join(out) + "\n")
    print(f"{target}: {len(out) - 2} numbers")


if __name__ == "__main__":
    main()
