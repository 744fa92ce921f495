#!/usr/bin/env python3
"""Runs the benchmark suite and writes its page.

    bench.py [--table FILE] BUILD REFERENCE.so [LIST.txt | FOLDER | MODEL.xml …]

Times what is installed (BUILD/release-pgo) with bench_suite over scenes/ and over what is given (a list holds paths
relative to its own folder), prints a table, writes docs/performance.md with its chart, and the summary between the
`bench` marks of README.md. --table takes the lines of an earlier run (what bench_suite printed) in place of a new one.
"""
import argparse
import datetime
import math
import os
import re
import subprocess
import sys

OPEN, CLOSE = "<!-- bench: written by make bench -->", "<!-- /bench -->"
SMALL = 0.5  # microseconds: below, a stage's time is mostly that of reading the clock

PAGE = """# Performance

Written by `make bench`; do not edit.

{summary}

![Ratios of all models, from the least to the most](images/ratios.svg)

## How it was measured

- **Machine:** {machine}. **Date:** {date}. **Revision:** {revision}.
- **Ours:** `libsinew.so` {version} as `make install` and `make wheel` build it: {compiler}, `-O3`, link-time optimisation,
  {profile}; kernels chosen by the CPU.
- **Reference:** `libmujoco.so` 3.5.0 as its wheel ships it.
- Both libraries are loaded into one process and take turns every 5 to 50 steps from the same initial state, under the
  same random controls. The time is that of the processor, one thread. A round lasts 0.2 s (at least 20 steps); the ratio
  is the median of five rounds.
- Each library steps the model that it compiled itself. Ratios are the reference's time over ours: above 1, ours is faster.
- Stages are timed by the libraries' own timers (`mjcb_time`, `mjData.timer`), the least of five separate rounds; a stage
  counts for a model where the reference spends more than {small} µs in it.
- Load time is `mj_loadXML` from files in the system's cache, with the library's asset cache empty: best of up to three.

Times on a busy machine scatter; ratios much less, because both libraries see the same disturbance.
To measure here: `make bench`; with more models: `make bench MODELS=list.txt`.

## Stages

Geometric means over the models that use the stage.

{stages}

## Models

{models}
"""


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def find_models(arguments):
    """(group, name, path) of scenes/ and of every list, folder or file given."""
    found = []
    for argument in ["scenes", *arguments]:
        if argument.endswith(".txt"):
            base = os.path.dirname(argument)
            with open(argument, encoding="utf-8") as file:
                found += [(line.split("/")[0], line, os.path.join(base, line)) for line in file.read().split()]
        elif os.path.isdir(argument):
            group = os.path.basename(os.path.normpath(argument))
            names = sorted(name for name in os.listdir(argument) if name.endswith(".xml"))
            found += [(group, f"{group}/{name}", os.path.join(argument, name)) for name in names]
        else:
            found.append(("given", os.path.basename(argument), argument))
    return found


def parse(lines, models):
    """Results of bench_suite, in its order of columns."""
    known = {path: (group, name) for group, name, path in models}
    results = []
    for line in lines:
        path, nv, ncon, ref, our, ratio, load_ref, load_our, *stages = line.rstrip("\n").split("\t")
        if path not in known:
            continue
        triples = zip(stages[::3], map(float, stages[1::3]), map(float, stages[2::3]))
        results.append({
            "group": known[path][0], "name": known[path][1].removesuffix(".xml"), "nv": int(nv), "ncon": int(ncon),
            "ref": float(ref), "our": float(our), "ratio": float(ratio),
            "load_ref": float(load_ref), "load_our": float(load_our),
            "stages": {name: (a, b) for name, a, b in triples}})
    return results


def table(header, rows):
    """A Markdown table; columns after the first are numbers."""
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def summary(results):
    """One row per group of models, and one for all."""
    groups = {}
    for result in results:
        groups.setdefault(result["group"], []).append(result)
    if len(groups) > 1:
        groups["all"] = results
    rows = []
    for group, members in groups.items():
        ratios = [member["ratio"] for member in members]
        loads = [member["load_ref"] / member["load_our"] for member in members]
        rows.append([group, str(len(members)), f"**{geomean(ratios):.2f}**", f"{min(ratios):.2f}", f"{max(ratios):.2f}",
                     str(sum(ratio < 1 for ratio in ratios)), f"{geomean(loads):.2f}"])
    return table(["models", "number", "step, geometric mean", "least", "most", "slower", "loading"], rows)


def stages(results):
    names = list(results[0]["stages"])
    rows = []
    for name in names:
        pairs = [result["stages"][name] for result in results if result["stages"][name][0] > SMALL]
        if not pairs:
            continue
        share = geomean([a / result["ref"] for result in results for a, _ in [result["stages"][name]] if a > SMALL])
        ratios = [a / b for a, b in pairs if b > 0]
        rows.append([name, str(len(ratios)), f"{100 * share:.0f} %", f"{geomean(ratios):.2f}", f"{min(ratios):.2f}",
                     f"{max(ratios):.2f}"])
    return table(["stage", "models", "share of the reference's step", "ratio", "least", "most"], rows)


def models_table(results):
    rows = [[result["name"], str(result["nv"]), f"{result['ref']:.1f}", f"{result['our']:.1f}",
             f"{result['ratio']:.2f}", f"{result['load_ref']:.1f}", f"{result['load_our']:.1f}",
             f"{result['load_ref'] / result['load_our']:.2f}"] for result in results]
    header = ["model", "dofs", "reference µs", "ours µs", "ratio", "load reference ms", "load ours ms", "ratio"]
    return table(header, rows)


def chart(results):
    """Ratios as an SVG picture: one dot per model, from the least to the most, on a logarithmic axis."""
    width, height, left, right, top, bottom = 900, 330, 50, 120, 20, 30
    colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
    groups = list(dict.fromkeys(result["group"] for result in results))
    ordered = sorted(results, key=lambda result: result["ratio"])
    ticks = [0.5, 1, 1.5, 2, 3, 5, 10, 20, 50, 100]
    least = max(tick for tick in ticks if tick <= max(0.5, min(0.99, ordered[0]["ratio"])))
    most = next((tick for tick in ticks if tick >= ordered[-1]["ratio"]), ordered[-1]["ratio"])

    def x(index):
        return left + (index + 0.5) * (width - left - right) / len(ordered)

    def y(ratio):
        return top + (height - top - bottom) * (1 - math.log(max(ratio, least) / least) / math.log(most / least))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for tick in ticks:
        if least <= tick <= most:
            colour = "#444444" if tick == 1 else "#dddddd"
            out.append(f'<line x1="{left}" x2="{width - right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="{colour}"/>')
            out.append(f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}×</text>')
    for index, result in enumerate(ordered):
        colour = colours[groups.index(result["group"]) % len(colours)]
        out.append(f'<circle cx="{x(index):.1f}" cy="{y(result["ratio"]):.1f}" r="3.5" fill="{colour}">'
                   f'<title>{result["name"]}: {result["ratio"]:.2f}</title></circle>')
    for index, group in enumerate(groups):
        colour = colours[index % len(colours)]
        out.append(f'<circle cx="{width - right + 20}" cy="{top + 10 + 20 * index}" r="4" fill="{colour}"/>')
        out.append(f'<text x="{width - right + 30}" y="{top + 14 + 20 * index}">{group}</text>')
    out.append(f'<text x="{left}" y="{height - 8}" fill="#444444">reference\'s time over ours, one dot per model; '
               'above 1×, ours is faster</text></svg>')
    return "\n".join(out) + "\n"


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        info = dict(line.split(":", 1) for line in file if ":" in line)
    fields = {key.strip(): value.strip() for key, value in info.items()}
    name = fields.get("model name", os.uname().machine)
    if "cpu family" in fields:
        name += f" (family {fields['cpu family']}, model {fields['model']})"
    return f"{name}, {os.cpu_count()} cores, Linux {os.uname().release.split('-')[0]}"


def date():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def revision():
    return first_line(["git", "rev-parse", "--short", "HEAD"])


def facts(build):
    """What the page of `make bench` says about machine and versions: of the build with a profile."""
    with open(os.path.join(build, "release-pgo/CMakeCache.txt"), encoding="utf-8") as file:
        cache = dict(re.findall(r"^(\w+):\w+=(.*)$", file.read(), re.M))
    return {"machine": machine(), "date": date(),
            "revision": revision(),
            "version": cache.get("CMAKE_PROJECT_VERSION", "?"),
            "compiler": first_line([cache["CMAKE_C_COMPILER"], "--version"]), "small": SMALL,
            "profile": "with a profile of our own scenes" if cache["SINEW_PROFILE"] else "without a profile"}


def write_readme(text):
    with open("README.md", encoding="utf-8") as file:
        readme = file.read()
    if OPEN not in readme:
        return
    head, rest = readme.split(OPEN)
    tail = rest.split(CLOSE)[1]
    with open("README.md", "w", encoding="utf-8") as file:
        file.write(f"{head}{OPEN}\n{text}\n{CLOSE}{tail}")


def run(build, reference, models):
    """Lines of bench_suite, shown as they come."""
    command = [os.path.join(build, "release-pgo/bench/bench_suite"), reference, os.path.join(build, "release-pgo/libsinew.so"),
               *(path for _, _, path in models)]
    names = {path: name for _, name, path in models}
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            lines.append(line)
            path, nv, _, ref, our, ratio, *_ = line.split("\t")
            print(f"{names[path]:50} {nv:>5} dofs {float(ref):9.1f} {float(our):9.1f} µs {float(ratio):6.2f}x", flush=True)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("reference")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--table")
    options = parser.parse_args()
    models = find_models(options.models)
    if options.table:
        with open(options.table, encoding="utf-8") as file:
            lines = file.readlines()
    else:
        lines = run(options.build, options.reference, models)
        with open(os.path.join(options.build, "bench.tsv"), "w", encoding="utf-8") as file:
            file.writelines(lines)
    results = parse(lines, models)
    if not results:
        sys.exit("bench: no model could be timed")

    total = summary(results)
    with open("docs/performance.md", "w", encoding="utf-8") as file:
        file.write(PAGE.format(summary=total, stages=stages(results), models=models_table(results),
                               **facts(options.build)))
    with open("docs/images/ratios.svg", "w", encoding="utf-8") as file:
        file.write(chart(results))
    write_readme(total)
    print("\n" + total + "\n\n" + stages(results) + "\n\nwritten: docs/performance.md")


if __name__ == "__main__":
    main()
