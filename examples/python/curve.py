"""Draws the learning curve that ppo.py writes: python curve.py curve.csv curve.svg. Needs matplotlib."""

import csv
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "sinew", "font.size": 10})
from matplotlib import pyplot

with open(sys.argv[1], encoding="utf-8") as file:
    rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
steps, seconds, returns = ([row[name] for row in rows] for name in ("steps", "cpu_seconds", "return"))

figure, axes = pyplot.subplots(figsize=(7, 3.2), layout="constrained")
axes.plot([s / 1e6 for s in steps], returns, marker=".", color="#0072b2")
axes.axhline(3000, color="#999999", linewidth=1, linestyle="--")
axes.set(xlabel="steps of all environments, millions", ylabel="return of an episode", xlim=(0, None), ylim=(0, None))
axes.grid(color="#eeeeee")
top = axes.secondary_xaxis("top", functions=(lambda m: m * seconds[-1] / steps[-1] * 1e6, lambda s: s * steps[-1] / seconds[-1] / 1e6))
top.set_xlabel("processor time, seconds")
figure.savefig(sys.argv[2], metadata={"Date": None})
