#!/usr/bin/env python3
"""Checks that a source file includes only from its own folder or from those its folder stands on (docs/MAP.md), and that
the drawings of docs/MAP.md are those of the sources. --write draws them again.

A drawing follows the calls of a function in the order of the text. What the map says of places ("`name` in `src/file`") must
be there."""
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
ROOT = PROJECT / "src"
MAP = PROJECT / "docs" / "MAP.md"

# drawing -> functions whose calls are drawn too, the first of which it begins with
DRAWINGS = {
    "step": ["mj_step", "stp_step", "stp_forward", "stp_positionStage", "stp_fwdPosition", "stp_kinematics",
             "stp_velocityStage", "mj_fwdVelocity", "mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdConstraint",
             "mj_Euler", "stp_euler", "mj_implicit", "stp_implicit", "stp_advance"],
    "load": ["mj_loadXML", "mj_parseXML", "mj_compile", "cmp_run", "cmp_compileAssets", "cmp_finish"],
}
# what every stage uses is not part of a flow: folders, and files of helpers
TOOLS = ["base", "math", "model", "compile/memory.c", "spec/text.c", "spec/access.c", "spec/element.c", "sleep/lists.c"]

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
    "cuda": ["collision", "solver"],
    "batch": ["step", "cuda"],
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
    "live": ["base"],
    "view": ["vis", "step", "render", "live"],
}


def closure(folder):
    seen, todo = {folder}, [folder]
    while todo:
        for below in STANDS_ON[todo.pop()]:
            if below not in seen:
                seen.add(below)
                todo.append(below)
    return seen


def definitions():
    """Functions with a body: name -> (file below src/, its body)."""
    found = {}
    for path in sorted(ROOT.rglob("*.c")):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        for match in re.finditer(r"^(?:[A-Za-z_][\w \*]*[ \*])(\w+)\(([^;{}]*)\) \{\n(.*?)^\}", text, re.M | re.S):
            found.setdefault(match.group(1), []).append((str(path.relative_to(ROOT)), match.group(3)))
    return found


def define(functions, name, file):
    """The definition that a call in a file means: its own, or the only public one."""
    here = functions.get(name, [])
    own = [d for d in here if d[0] == file]
    return own[0] if own else here[0] if len(here) == 1 and "_" in name else None


def draw(functions, opened, name, file="", depth=0, seen=None):
    """Lines of a drawing: a function with its file, and its calls below when it is to be opened."""
    seen = seen if seen is not None else set()
    found = define(functions, name, file)
    if not found or name in seen:
        return []
    file, body = found
    if file in TOOLS or file.split("/")[0] in TOOLS or name.endswith("Error"):
        return []
    seen.add(name)

    # functions of one file are part of those that call them
    shared = "_" in name
    lines = [f"{'  ' * depth + name:<36}{file}"] if shared else []
    if shared and name not in opened:
        return lines
    for call in re.findall(r"\b([a-zA-Z]\w+)\b(?=\(|,|\))", body):
        lines += draw(functions, opened, call, file, depth + shared, seen)
    return lines


def check_drawings(write):
    """Number of drawings that are not as the sources have them."""
    functions, text, stale = definitions(), MAP.read_text(), 0
    for drawing, opened in DRAWINGS.items():
        begin, end = f"<!-- drawing: {drawing} -->\n", "<!-- end -->"
        before, rest = text.split(begin)
        old, after = rest.split(end, 1)
        new = "\n```\n" + "\n".join(draw(functions, opened, opened[0])) + "\n```\n\n"
        text = before + begin + new + end + after
        stale += old != new
    if write:
        MAP.write_text(text)
        return 0
    if stale:
        print(f"{MAP}: a drawing is not that of the sources; scripts/check_includes.py --write draws it again")
    return stale


def check_places():
    """Number of places that the map names and that are not there."""
    wrong = 0
    text = MAP.read_text()
    for place in re.findall(r"`(src/[\w/.]+)`", text):
        if not (PROJECT / place).exists():
            print(f"{MAP}: there is no {place}")
            wrong += 1
    for name, place in re.findall(r"`(\w+)` in `(src/[\w/.]+)`", text):
        path = PROJECT / place
        if path.is_file() and not re.search(rf"\b{name}\b", path.read_text()):
            print(f"{MAP}: there is no {name} in {place}")
            wrong += 1
    return wrong


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
    wrong += check_drawings("--write" in sys.argv) + check_places()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
