#!/usr/bin/env python3
"""docs.py BUILD PROGRAM: the documentation as static HTML below BUILD/site. Any warning fails. PROGRAM is `sinew`.

The pages of docs/ are gathered in BUILD/docs, together with what is made from other files of the project, so that it
stays true: the API reference from the headers (doxygen) and, at `<!-- python: modules -->`, from docstrings, the gallery
from the header comments of scenes/ and from runs of some, the code of the examples at the lines `<!-- include: path -->`, and what the program prints at the lines
`<!-- run: sinew … -->`. Notebooks are run by Jupyter, installed below BUILD. mkdocs makes the site from there.
"""
import glob
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys

import docs_python

INCLUDE = re.compile(r"^<!-- include: (\S+) -->$", re.M)
RUN = re.compile(r"^<!-- run: sinew (.*) -->$", re.M)
PYTHON = re.compile(r"^<!-- python: (.*) -->$", re.M)

# scenes of the gallery that get a chart: what it shows, and how they are run for it
CHARTS = {
    "car": ("sensors", "--ctrl drive=25 --time 4 --every 10"),
    "cradle": ("energy,joints", "--time 2.5 --every 50"),
    "dominoes": ("energy,contacts", "--time 3 --every 10"),
    "gears": ("joints", "--ctrl sine:0.3 --time 5 --every 10"),
    "spinning_top": ("energy,joints", "--key spin --time 3 --every 10"),
    "spring_orbit": ("joints", "--key orbit --time 6 --every 10"),
}
# how scenes of the gallery begin where they have more to show than their start; seconds until the picture is taken
BEGIN = {
    "car": {"camera": "chase"},
    "climber": {"key": "stick"},
    "contact/field": {"camera": "front", "seconds": 0.5},
    "contact/hold": {"key": "hold", "camera": "front", "seconds": 20},
    "contact/links": {"key": "swing", "camera": "front"},
    "contact/mechanisms": {"camera": "front"},
    "contact/mug": {"key": "pick", "camera": "front", "seconds": 3},
    "contact/nut": {"key": "thread", "camera": "front"},
    "contact/shot": {"key": "fire", "camera": "front", "speed": 0.01, "seconds": 0.004},
    "dominoes": {"seconds": 1.5},
    "drone": {"camera": "chase"},
    "falling": {"seconds": 0.3},
    "physics/flag": {"camera": "front"},
    "physics/grasp": {"camera": "front"},
    "physics/jelly": {"camera": "front", "seconds": 0.3},
    "physics/shell": {"camera": "front", "seconds": 0.4},
    "physics/spring_leg": {"camera": "front"},
    "physics/two_cloths": {"camera": "front"},
    "puppet": {"camera": "audience"},
    "quadruped": {"camera": "chase"},
    "spinning_top": {"key": "spin"},
    "spring_orbit": {"key": "orbit"},
    "studio": {"camera": "front", "seconds": 0.1},
    "terrain": {"camera": "chase"},
}
NOTEBOOK = ["nbconvert", "ipykernel", "numpy", "matplotlib", "pillow"]  # what notebooks need to be run and shown
LANGUAGES = {".c": "c", ".py": "python", ".xml": "xml", ".txt": "text", ".cmake": "cmake"}


def included(match):
    """The file as a code block."""
    path = match.group(1)
    with open(path, encoding="utf-8") as file:
        text = file.read().rstrip("\n")
    return f"```{LANGUAGES.get(os.path.splitext(path)[1], 'text')}\n{text}\n```"


def header_comment(path):
    """The first comment of a scene: its first sentence, and (label, text) of what follows as `Label   text`."""
    with open(path, encoding="utf-8") as file:
        match = re.search(r"<!--(.*?)-->", file.read(4000), re.S)
    head, _, rest = (match.group(1).strip() if match else "(no description)").partition("\n\n")
    entries = []
    for line in rest.splitlines():
        label = re.match(r"^  ([A-Z]\w+) +(.*)", line)
        if label:
            entries.append(list(label.groups()))
        elif entries:
            entries[-1][1] += " " + line.strip()
    return " ".join(head.split()), entries


def chart(program, stage, name):
    """Runs a scene and draws it; returns the entry for its page."""
    what, arguments = CHARTS[name]
    command = f"run scenes/{name}.xml {arguments} --plot {what}="
    subprocess.run([program, *f"{command}{stage}/scenes/{name}.svg --quiet".split()], check=True)
    return f"`sinew {command}{name}.svg` draws\n\n![{what} of {name} over time](scenes/{name}.svg)\n"


def live(stage, build):
    """The page of `make web` becomes part of the site where it has been built."""
    page = os.path.join(build, "web", "page")
    if os.path.exists(os.path.join(page, "sinew.wasm")):
        shutil.copytree(page, os.path.join(stage, "live"))


def source(path):
    """The lines of MJCF that make a scene, folded."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<!--.*?-->\n*", "", file.read(), count=1, flags=re.S).strip()
    return f"<details><summary>MJCF, {text.count(chr(10)) + 1} lines</summary><pre><code>{html.escape(text)}</code></pre></details>\n"


def picture(program, stage, name):
    """Draws a scene as the viewer shows it after a second or so; False without OpenGL."""
    begin = BEGIN.get(name, {})
    words = [word for key in ("key", "camera") if key in begin for word in ("--" + key, begin[key])]
    # two frames of 1/60 s, in which time passes fast
    words += ["--frames", "2", "--speed", str(30 * begin.get("seconds", 1))]
    command = [program, "view", f"scenes/{name}.xml", *words, "--size", "640x360", "--bare", "--quiet", "--out", f"{stage}/scenes/{name}.png"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode and "OpenGL" not in result.stderr:
        sys.exit(f"docs: {' '.join(command)} fails: {result.stderr}")
    return result.returncode == 0


def shown(program, stage, name):
    """A scene's picture, which becomes the running scene when it is clicked, and a link to the page that runs it."""
    drawn, live_here = picture(program, stage, name), os.path.isdir(os.path.join(stage, "live"))
    image = f'<img src="scenes/{name}.png" alt="{name}" width="640" height="360">' if drawn else f"run {name}"
    if not live_here:
        return image + "\n" if drawn else ""
    begin = "".join(f"&amp;{key}={value}" for key, value in BEGIN.get(name, {}).items() if key != "seconds")
    return (f'<a class="live" href="live/index.html?scene={name}{begin}" title="click to run it here">{image}</a>\n\n'
            f'- **Live:** click the picture, or <a href="live/index.html?scene={name}{begin}">open it in a page of its own</a>')


# one scene at a time runs in the place of its picture; another one takes turns with it
RUN_HERE = """<script>
let running = null;
for (const link of document.querySelectorAll("a.live")) link.addEventListener("click", (event) => {
  if (location.protocol === "file:" || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (running) running[0].replaceWith(running[1]);
  const frame = document.createElement("iframe");
  Object.assign(frame, { src: link.href, width: 640, height: 480, style: "border: 0; max-width: 100%" });
  link.replaceWith(frame);
  running = [frame, link];
});
</script>
"""


def gallery(program, stage):
    """One entry per scene: what its header comment says, its picture, where it runs live, what makes it, and a chart of some."""
    parts = []
    for path in sorted(glob.glob("scenes/*.xml")) + sorted(glob.glob("scenes/contact/*.xml")) + sorted(glob.glob("scenes/physics/*.xml")):
        name = os.path.splitext(os.path.relpath(path, "scenes"))[0]
        sentence, entries = header_comment(path)
        parts.append(f"## {name}\n\n{html.escape(sentence, quote=False)}\n")
        parts.append(shown(program, stage, name))
        for label, text in entries:
            text = f"`{text}`" if label == "Run" else html.escape(text, quote=False)
            parts.append(f"- **{label}:** {text}")
        parts.append(f"- **File:** [`{path}`](scenes/{name}.xml)\n")
        parts.append(source(path))
        if name in CHARTS:
            parts.append(chart(program, stage, name))
    return "\n".join(parts) + "\n" + RUN_HERE


def printed(program, arguments):
    """What the program prints, as a code block."""
    result = subprocess.run([program, *arguments.split()], capture_output=True, text=True, check=True)
    return f"```text\n{result.stdout.rstrip()}\n```"


def gather(stage, program):
    """All pages and pictures, expanded."""
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree("docs", stage, ignore=shutil.ignore_patterns("Doxyfile", "*.dox"))
    shutil.copytree("scenes", os.path.join(stage, "scenes"), ignore=shutil.ignore_patterns("README.md"))
    live(stage, os.path.dirname(stage))
    for path in glob.glob(os.path.join(stage, "*.md")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = INCLUDE.sub(included, text)
        if "<!-- gallery -->" in text:
            text = text.replace("<!-- gallery -->", gallery(program, stage))
        text = PYTHON.sub(lambda match: docs_python.reference(match.group(1).split()), text)
        text = RUN.sub(lambda match: printed(program, match.group(1)), text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def jupyter(build):
    """The program that runs notebooks, installed when it is missing; None where that is impossible."""
    tools = os.path.join(build, "docs-venv")
    program = os.path.join(tools, "bin/jupyter-nbconvert")
    if not os.path.exists(program):
        subprocess.run([sys.executable, "-m", "venv", tools], check=True)
        subprocess.run([os.path.join(tools, "bin/pip"), "install", "-q", "--disable-pip-version-check", *NOTEBOOK], check=False)
    return program if os.path.exists(program) else None


def cells(path):
    """A notebook as Markdown without what its cells give."""
    with open(path, encoding="utf-8") as file:
        found = json.load(file)["cells"]
    texts = ["".join(cell["source"]) for cell in found]
    return "\n\n".join(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```" for cell, text in zip(found, texts)) + "\n"


def notebook(build, stage, path):
    """A notebook as a page, with what its cells give when they are run now, on the package in the build folder."""
    program = jupyter(build)
    if not program:
        print("docs: Jupyter cannot be installed here: the notebook is shown without what it gives")
        with open(os.path.join(stage, "tour.md"), "w", encoding="utf-8") as file:
            file.write(cells(path))
        return
    environment = {**os.environ, "PYTHONPATH": os.path.abspath(os.path.join(build, "release/python"))}
    subprocess.run([program, "--to", "markdown", "--execute", "--log-level", "ERROR", "--output-dir", stage, path], env=environment, check=True)


def reference(stage):
    with open("docs/Doxyfile", encoding="utf-8") as file:
        settings = file.read() + f"\nOUTPUT_DIRECTORY = {stage}\n"
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)


class Links(html.parser.HTMLParser):
    """Where a page points to, and where it can be pointed at."""

    def __init__(self, path):
        super().__init__()
        self.targets, self.anchors = [], {""}
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value and not re.match(r"[a-z]+:|//", value):
                self.targets.append(value)


def check_links(site):
    """Every link between pages must have a target; doxygen answers for its own, and 404.html is for a server."""
    pages = {path: Links(path) for path in glob.glob(os.path.join(site, "**/*.html"), recursive=True)}
    broken = []
    for path, page in pages.items():
        if os.sep + "reference" + os.sep in path or os.path.basename(path) == "404.html":
            continue
        for target in page.targets:
            file, _, anchor = target.partition("#")
            file = file.partition("?")[0]
            goal = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(goal) or goal in pages and anchor not in pages[goal].anchors:
                broken.append(f"{os.path.relpath(path, site)}: no {target}")
    if broken:
        sys.exit("\n".join(broken))


def main():
    build, program = sys.argv[1:3]
    stage = os.path.join(build, "docs")
    gather(stage, program)
    notebook(build, stage, "examples/python/tour.ipynb")
    reference(stage)
    site = os.path.abspath(os.path.join(build, "site"))
    subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--site-dir", site], check=True)
    check_links(site)
    print(f"docs: {build}/site/index.html")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"docs: {' '.join(error.cmd)} fails")
