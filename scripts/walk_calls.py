#!/usr/bin/env python3
"""walk_calls.py OUT HEADER...: one line for each exported function, with the kinds of its arguments and a call that takes them
from a list.

Tests of test/abi include the result, so that a new function is walked without being written down anywhere:

  WALK(mj_jacBody, "mjModel* mjData* mjtNum* mjtNum* int", NOTHING, (a[0].p, a[1].p, a[2].p, a[3].p, a[4].i))

The third is NUMBER where it returns one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REAL = {"mjtNum": "d", "double": "d", "float": "d", "size_t": "z", "mjrRect": "r"}


def kind_of(parameter):
    """'const mjtNum pos[3]' → 'mjtNum*'; a pointer to a function is a function*."""
    if "(*" in parameter or parameter.startswith("mjf"):
        return "function*"
    text = re.sub(r"\bconst\b|\bstruct\b", " ", parameter)
    stars = text.count("*") + text.count("[")
    words = re.findall(r"\w+", re.sub(r"\[.*", "", text.replace("*", " ")))
    unsigned = words[0] == "unsigned"
    return ("unsigned " if unsigned else "").replace(" ", "_") + words[unsigned] + "*" * stars


def calls(header):
    text = re.sub(r"//.*", "", header)
    for match in re.finditer(r"\nMJAPI\s+([^;{()]*?)(\w+)\s*\(([^;]*?)\)\s*(?:mjPRINTFLIKE\(\d+, \d+\))?;", text):
        if match[1].startswith("extern"):
            continue
        parameters = [part.strip() for part in re.sub(r"\s+", " ", match[3]).split(",")]
        kinds = [kind_of(part) for part in parameters if part not in ("void", "...")]
        arguments = [f"a[{i}].{'p' if kind.endswith('*') else REAL.get(kind, 'i')}" for i, kind in enumerate(kinds)]
        result = match[1].strip()
        yield match[2], kinds, "NUMBER" if result in ("mjtNum", "double", "int", "mjtSize", "mjtByte", "float") else "NOTHING", arguments


def main():
    headers = "".join((ROOT / name).read_text() for name in sys.argv[2:])
    lines = [f"WALK({name}, \"{' '.join(kinds)}\", {result}, ({', '.join(arguments)}))"
             for name, kinds, result, arguments in calls(headers)]
    pathlib.Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(sys.argv[1]).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
