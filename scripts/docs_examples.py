#!/usr/bin/env python3
"""docs_examples.py BUILD [PAGE.md …]: compiles and runs the code blocks of the documentation marked as examples.

A block after the line `<!-- example -->` is one; a block after `<!-- output -->` is what the example before it prints.
After `<!-- example, draws -->` it is left out where the machine has no OpenGL for it.

    c    with main: compiled, linked, run. With other functions: compiled. Otherwise statements that find `m` and `d` in
         scope: put into a function, which is called with a small model.
    sh   run by bash, ends at the first failure
    xml  loaded as a model

They see the library as a user does: installed (into a temporary prefix) and found through pkg-config, `sinew` on the
PATH, `examples` and `scenes` in the working folder.
"""
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^<!-- (example|output)(, draws)? -->\n+```(\w+)\n(.*?)^```$", re.M | re.S)

FLAGS = ["-std=gnu17", "-Wall", "-Werror", "-Wno-unused-function"]

# a fragment's surroundings: headers, and a model with a joint and a contact
FRAGMENT = """#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void fragment(mjModel* m, mjData* d) {{
{code}
}}
int main(void) {{
  mjSpec* spec = mj_parseXMLString("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.2'><joint/>"
      "<joint type='slide'/><geom size='0.1'/></body></worldbody></mujoco>", NULL, NULL, 0);
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 100; i++) mj_step(m, d);
  fragment(m, d);
  return 0;
}}
"""

LOADER = """#include <mujoco/mujoco.h>
#include <stdio.h>
int main(int argc, char** argv) {
  char error[500] = "";
  if (mj_loadXML(argv[argc - 1], NULL, error, sizeof(error))) return 0;
  return fprintf(stderr, "%s\\n", error), 1;
}
"""


class Failed(Exception):
    pass


class Workshop:
    """The installed library, and a folder to work in."""

    def __init__(self, build, scratch):
        self.folder = os.path.join(scratch, "work")
        os.mkdir(self.folder)
        prefix = os.path.join(scratch, "prefix")
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        package = glob.glob(f"{prefix}/**/sinew.pc", recursive=True)[0]
        library = os.path.dirname(os.path.dirname(package))
        self.environment = {**os.environ, "PKG_CONFIG_PATH": os.path.dirname(package), "LD_LIBRARY_PATH": library,
                            "PATH": f"{prefix}/bin:{os.environ['PATH']}"}
        for name in ("examples", "scenes"):
            os.symlink(os.path.abspath(name), os.path.join(self.folder, name))

        # the exit code says when there is no OpenGL; any other trouble is the examples' to show
        self.draws = subprocess.run(["sinew", "picture", "--quiet", "--size", "8x8"], cwd=self.folder, check=False,
                                    env=self.environment, capture_output=True).returncode != 4

    def run(self, command):
        result = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True,
                                timeout=120)
        if result.returncode:
            raise Failed(f"exit status {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def compile(self, code, options):
        with open(os.path.join(self.folder, "example.c"), "w", encoding="utf-8") as file:
            file.write(code)
        flags = self.run(["pkg-config", "--cflags", "--libs", "sinew"]).split()
        self.run(["cc", *FLAGS, "example.c", *flags, "-lm", *options])

    def c(self, code):
        if re.search(r"\bmain\(", code):
            self.compile(code, ["-o", "example"])
        elif re.search(r"^\w[^;=]*\) \{$", code, re.M) and not re.match(r"\s*(for|while|if)\b", code):
            self.compile(code, ["-c", "-o", "example.o"])
            return ""
        else:
            self.compile(FRAGMENT.format(code=code), ["-o", "example"])
        return self.run(["./example"])

    def sh(self, code):
        return self.run(["bash", "-euo", "pipefail", "-c", code])

    def xml(self, code):
        with open(os.path.join(self.folder, "example.xml"), "w", encoding="utf-8") as file:
            file.write(code)
        self.compile(LOADER, ["-o", "load"])
        return self.run(["./load", "example.xml"])


def check_page(workshop, path):
    """Number of examples and of failures."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    done = failures = 0
    printed = ""
    for match in BLOCK.finditer(text):
        kind, draws, language, code = match.groups()
        if draws and not workshop.draws:
            continue
        place = f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
        try:
            if kind == "example":
                done += 1
                printed = getattr(workshop, language)(code)
            elif code.rstrip() != printed.rstrip():
                lines = difflib.unified_diff(code.splitlines(True), printed.splitlines(True), "page", "printed")
                raise Failed("".join(lines))
        except (Failed, subprocess.TimeoutExpired) as error:
            failures += 1
            print(f"{place}: {kind} fails: {error}")
    return done, failures


def main():
    build, pages = sys.argv[1], sys.argv[2:] or ["README.md", *sorted(glob.glob("docs/*.md"))]
    with tempfile.TemporaryDirectory() as scratch:
        workshop = Workshop(build, scratch)
        counts = [check_page(workshop, page) for page in pages]
    done, failures = sum(a for a, _ in counts), sum(b for _, b in counts)
    print(f"{done} examples on {len(pages)} pages, {failures} failures")
    sys.exit(failures > 0 or done == 0)


if __name__ == "__main__":
    main()
