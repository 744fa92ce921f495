#!/usr/bin/env python3
"""bench_growth.py BUILD: how the time of a step grows with the number of bodies; writes docs/growth.md and its chart."""
import math
import os
import subprocess
import sys

import bench

SIZES = [1000, 10000, 60000]
KINDS = {"settled": "boxes that rest on a plane, each alone: four contacts a box",
         "moving": "boxes that fly and turn, far from everything",
         "asleep": "the settled ones with sleep enabled, asleep from the start"}

PAGE = """# Growth with the number of bodies

Written by `make bench-growth`; do not edit.

Processor time of a step per body, in nanoseconds, one thread of our library.

{table}

![Time of a step per body over the number of bodies](images/growth.svg)

{kinds}

- **Machine:** {machine}. **Date:** {date}. **Revision:** {revision}.
- Each row is a process of its own; a time is the median of five rounds of 0.2 s (at least three steps), after twenty steps.
- **Growth:** time per body in the largest scene over that in the smallest. The largest scene does not fit into the processor's cache,
  which other programs on the machine share: measure where it is quiet.

To measure here: `make bench-growth`.
"""


def measure(build, kind, size):
    """Nanoseconds per body and step."""
    command = [os.path.join(build, "release/bench/bench_growth"), os.path.join(build, "release/libsinew.so"), kind, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return 1e3 * float(done.stdout) / size


def rows(build):
    for kind in KINDS:
        values = [measure(build, kind, size) for size in SIZES]
        print(f"{kind:8} " + " ".join(f"{value:9.1f}" for value in values), flush=True)
        yield kind, values


def chart(results):
    """A line for each kind of scene, on logarithmic axes."""
    width, height, left, right, top, bottom = 700, 330, 70, 150, 20, 40
    colours = dict(zip(KINDS, ["#0072b2", "#d55e00", "#009e73"]))
    ticks = [1, 10, 100, 1000, 10000, 100000]
    values = [value for _, row in results for value in row]
    least = max(tick for tick in ticks if tick <= min(values))
    most = min(tick for tick in ticks if tick >= max(values))

    def x(size):
        return left + (width - left - right) * math.log(size / SIZES[0]) / math.log(SIZES[-1] / SIZES[0])

    def y(value):
        return top + (height - top - bottom) * (1 - math.log(value / least) / math.log(most / least))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for tick in (tick for tick in ticks if least <= tick <= most):
        out.append(f'<line x1="{left}" x2="{width - right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick} ns</text>')
    for size in SIZES:
        out.append(f'<text x="{x(size):.1f}" y="{height - 20}" text-anchor="middle">{size:,}</text>')
    for index, (kind, row) in enumerate(results):
        points = [(x(size), y(value)) for size, value in zip(SIZES, row)]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colours[kind]}" stroke-width="2"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colours[kind]}"/>' for a, b in points]
        at = top + 10 + 20 * index
        out.append(f'<line x1="{width - right + 15}" x2="{width - right + 40}" y1="{at}" y2="{at}" stroke="{colours[kind]}" stroke-width="2"/>')
        out.append(f'<text x="{width - right + 46}" y="{at + 4}">{kind}</text>')
    out.append(f'<text x="{left}" y="{height - 4}" fill="#444444">bodies; time of a step per body</text></svg>')
    return "\n".join(out) + "\n"


def main():
    build = sys.argv[1]
    results = list(rows(build))
    header = ["scene", *(f"{size:,}" for size in SIZES), "growth"]
    cells = [[kind, *(f"{value:.0f}" for value in row), f"{row[-1] / row[0]:.2f}"] for kind, row in results]
    with open("docs/growth.md", "w", encoding="utf-8") as file:
        file.write(PAGE.format(table=bench.table(header, cells), kinds="\n".join(f"- **{kind}:** {text}." for kind, text in KINDS.items()),
                               machine=bench.machine(), date=bench.date(), revision=bench.revision()))
    with open("docs/images/growth.svg", "w", encoding="utf-8") as file:
        file.write(chart(results))


if __name__ == "__main__":
    main()
