#!/usr/bin/env python3
"""Plants single-line faults in the library and reports those that no test notices.

Works on a copy of the tree below build/mutate, never on the checkout. The tests there link shared libraries, so that a
fault costs one compilation and one link. A map from tests to lines, made once per state of the sources by traced
libraries, tells which tests enter the function of a line; those that reach the line itself come first, then whatever
has noticed most in the least time, until one fails. Of a function that is always part of others, all tests of the files
that include it count. Faults that do not compile or give the same code are not counted. The same seed gives the same
faults of the same sources; build/mutate/seed-N.txt lists them with what noticed them.

  scripts/mutate.py --seed 1 --count 100             # all of src/, without the reference
  scripts/mutate.py --folders src/solver --reference # one folder, with the reference
  scripts/mutate.py --both                           # without; what nobody notices there is tried again with the reference
  scripts/mutate.py --seed 1 --again                 # only what survived in the list of that seed, with the tests of now
  scripts/mutate.py --budget 60                      # no more than a minute of tests for each fault
  scripts/mutate.py --at src/force/passive.c:88      # every fault of one line
  scripts/mutate.py --tests golden_                  # what the golden data alone notices: quick
"""
import argparse
import difflib
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build/mutate"
TREE, BUILD, TRACED = WORK / "tree", WORK / "build", WORK / "traced"

# what is built from src/: the library, the viewer, and what the tests have of the kernels for GPUs
LIBRARIES = {"sinew_shared": "libsinew.so.0", "sinew_view": "libsinew_view.so", "test_support": "test/libtest_support.so"}

# seconds of a test that has not run yet
GUESS = 0.5

# records every place of the library that a test passes; written out when the test ends
TRACER = r"""
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define ROOM (32 << 20)
static unsigned char seen[ROOM];
static uintptr_t base;
__attribute__((constructor)) static void start(void) {
  Dl_info info;
  if (dladdr((void*)start, &info)) base = (uintptr_t)info.dli_fbase;
}
__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void) {
  const uintptr_t place = (uintptr_t)__builtin_return_address(0) - base;
  if (place < ROOM) seen[place] = 1;
}
__attribute__((destructor)) static void finish(void) {
  const char* folder = getenv("SINEW_TRACE");
  if (!folder) return;
  char path[500];
  Dl_info info;
  if (!dladdr((void*)start, &info)) return;
  snprintf(path, sizeof(path), "%s/%d-%s", folder, (int)getpid(), strrchr(info.dli_fname, '/') + 1);
  FILE* file = fopen(path, "w");
  if (!file) return;
  for (uintptr_t i = 0; i < ROOM; i++) {
    if (seen[i]) fprintf(file, "%lx\n", (unsigned long)i - 1);
  }
  fclose(file);
}
"""


def run(command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)


# ---------------------------------------------------------------- the copy and its builds


def copy_tree(reference, keep=False):
    """Copies what git knows; only files that changed are touched, so that builds stay incremental. Returns their names.

    keep: the library stays as it is in the copy, so that its map is good.
    """
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    changed = []
    for name in names:
        if keep and name.startswith(("src/", "include/")):
            continue
        source, target = ROOT / name, TREE / name
        data = source.read_bytes()
        if target.exists() and target.read_bytes() == data:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(source.stat().st_mode)
        changed.append(name)
    known = set(names)
    for path in [path for path in TREE.rglob("*") if path.is_file() and not path.is_symlink()]:
        name = str(path.relative_to(TREE))
        if name not in known and name.startswith(("test/", "cli/") if keep else ("src/", "test/", "cli/", "include/")):
            path.unlink()
    oracle = TREE / "build/oracle"
    oracle.parent.mkdir(exist_ok=True)
    if oracle.is_symlink():
        oracle.unlink()
    if reference:
        oracle.symlink_to((ROOT / "build/oracle").resolve())
    return changed


def configure(folder, flags=()):
    if not (folder / "build.ninja").exists():
        run(["cmake", "--preset", "mutate", "-B", str(folder), *flags], cwd=TREE)
    # files that came or went
    run(["cmake", str(folder)])


def targets(pattern):
    """What to build for the tests whose names match; nothing stands for everything."""
    if not pattern:
        return []
    names = [test[0] for test in ctests(pattern)]
    programs = {"golden" if name.startswith("golden_") else f"test_{name}" for name in names}
    return [*LIBRARIES, *sorted(programs)]


def ctests(pattern):
    """Name, command and folder of the tests whose names match."""
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=BUILD, check=True, capture_output=True, text=True)
    tests = []
    for test in json.loads(shown.stdout)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        # what builds projects of its own or reads headers does not use this library; what counts instructions notices any change
        if "command" not in test or test["name"].startswith(("example_", "docs_", "scripts", "python", "physics_overhead", "abi_cplusplus")):
            continue
        if not re.search(pattern, test["name"]):
            continue
        tests.append((test["name"], test["command"], properties.get("WORKING_DIRECTORY", str(BUILD))))
    return tests


def environment(reference, extra=None):
    env = dict(os.environ, **(extra or {}))
    if not reference:
        env["SINEW_ORACLE"] = ""
    return env


def run_test(test, env, limit, stop=None):
    """True: passed or skipped, None: stopped; and the seconds it took. The limit is of processor time, so that a busy
    machine does not decide; waiting for nothing ends too."""
    _, command, folder = test
    limited = ["sh", "-c", 'ulimit -t "$0"; exec "$@"', str(int(limit)), *command]
    process = subprocess.Popen(limited, cwd=folder, env=env, start_new_session=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    step = 0.1
    for _ in range(int(30 * limit / step)):
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode in (0, 77), used.ru_utime + used.ru_stime
        if stop and stop.is_set():
            break
        time.sleep(step)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return None if stop and stop.is_set() else False, limit


# ---------------------------------------------------------------- which test reaches which line


def fingerprint():
    digest = hashlib.sha256()
    for path in sorted((TREE / "src").rglob("*.[ch]")):
        digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def resolve(library, places):
    """Place in a traced library → file:line below src/, innermost of inlined calls."""
    done = subprocess.run(["addr2line", "-e", str(TRACED / library)], input="\n".join(places), check=True, capture_output=True, text=True)
    found = {}
    for place, line in zip(places, done.stdout.splitlines()):
        match = re.match(r"(.*):(\d+)", line)
        if match and "/src/" in match[1]:
            found[place] = (os.path.relpath(os.path.normpath(match[1]), TREE), int(match[2]))
    return found


def read_trace(folder):
    """Places of each library that the programs of one test passed."""
    places = {}
    for library in LIBRARIES.values():
        for part in folder.glob(f"*-{pathlib.Path(library).name}"):
            places.setdefault(library, set()).update(part.read_text().split())
    return places


def lines_of(traces):
    """Which tests reach each line, from the places that each test passed."""
    where = {library: resolve(library, sorted(set().union(*(trace.get(library, ()) for trace in traces.values()))))
             for library in LIBRARIES.values()}
    lines = {}
    for name, trace in traces.items():
        for file, line in {where[library][place] for library, places in trace.items() for place in places if place in where[library]}:
            lines.setdefault(file, {}).setdefault(str(line), []).append(name)
    return lines


def build_traced():
    TRACED.mkdir(exist_ok=True)
    tracer = WORK / "tracer.c"
    tracer.write_text(TRACER)
    run(["gcc", "-D_GNU_SOURCE", "-O1", "-fPIC", "-c", str(tracer), "-o", str(WORK / "tracer.o")])
    # functions that became part of others would not show who calls them
    configure(TRACED, ["-DCMAKE_C_FLAGS_DEBUG=-O1 -g -fno-inline -fsanitize-coverage=trace-pc",
                       f"-DCMAKE_SHARED_LINKER_FLAGS={WORK / 'tracer.o'}", "-DSINEW_TEST_SHARED=ON"])
    run(["ninja", "-C", str(TRACED), *LIBRARIES])


def trace(tests, reference):
    """Lines that each test reaches, on traced libraries; tests that fail without any fault are named and left out."""
    build_traced()
    traces, seconds = {}, {}
    folder = WORK / "trace"
    for test in tests:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        extra = {"SINEW_TRACE": str(folder), "LD_LIBRARY_PATH": f"{TRACED}:{TRACED}/test"}
        good, seconds[test[0]] = run_test(test, environment(reference, extra), 600)
        if not good:
            print(f"mutate: {test[0]} fails without a fault: left out", flush=True)
            seconds[test[0]] = -1
            continue
        traces[test[0]] = read_trace(folder)
    return seconds, lines_of(traces)


def likely_first(names, file):
    """Tests whose names share the most letters with the file's come first."""
    stem = pathlib.Path(file).stem
    return sorted(names, key=lambda name: -difflib.SequenceMatcher(None, stem, name.split("_", 1)[1]).ratio())


def shares_word(name, file):
    """A word of the file's name begins like one of the test's."""
    words = [word for word in pathlib.Path(file).stem.split("_") if len(word) > 3]
    return any(part.startswith(word[:4]) for word in words for part in name.split("_"))


def quick_map(pattern, record):
    """Instead of a map: the golden data reach every line, and so do the tests in the folder of the same name."""
    seconds = {"golden": record.seconds("golden") or GUESS}
    folders = {}
    for name, _, _ in ctests(pattern):
        if not name.startswith("golden_"):
            seconds[name] = record.seconds(name) or GUESS
            folders.setdefault(name.split("_")[0], []).append(name)
    return {"seconds": seconds, "folders": folders}


def load_map(reference, pattern, changed):
    """The map of the last session, with tests that are new in this one or changed; made again when the library has changed."""
    path = WORK / ("map_reference.json" if reference else "map.json")
    table = json.loads(path.read_text()) if path.exists() else {}
    if table.get("key") != fingerprint():
        table = {"key": fingerprint(), "seconds": {}, "lines": {}}
    for name in changed:
        match = re.match(r"test/(.*)_test\.c$", name)
        if match and table["seconds"].pop(match[1].replace("/", "_"), None):
            for numbers in table["lines"].values():
                for names in numbers.values():
                    names[:] = [other for other in names if other != match[1].replace("/", "_")]
    new = [test for test in ctests(pattern) if test[0] not in table["seconds"]]
    if new:
        print(f"mutate: tracing {len(new)} tests", flush=True)
        seconds, lines = trace(new, reference)
        table["seconds"].update(seconds)
        for file, numbers in lines.items():
            for number, names in numbers.items():
                table["lines"].setdefault(file, {}).setdefault(number, []).extend(names)
        path.write_text(json.dumps(table))
    return table


def function_around(file, line):
    """First and last line of the function or table that a line is in: those that begin at the margin."""
    lines = (TREE / file).read_text().splitlines()
    first = max([number for number, text in enumerate(lines[:line], 1) if text[:1].isalpha() or text[:1] == "_"], default=1)
    last = min([number for number, text in enumerate(lines, 1) if number >= line and text.startswith("}")], default=len(lines))
    return first, last


def includers(file):
    """The sources that a file is part of."""
    if file.endswith(".c"):
        return {file}
    done = subprocess.run(["ninja", "-C", str(BUILD), "-t", "deps"], check=True, capture_output=True, text=True)
    found = set()
    for block in done.stdout.split("\n\n"):
        parts = {os.path.relpath(os.path.normpath(BUILD / part.strip()), TREE) for part in block.splitlines()[1:]}
        if file in parts:
            found |= {part for part in parts if part.startswith("src/") and part.endswith(".c")} or {part for part in parts if part.startswith("src/")}
    return found


class Record:
    """How often each test noticed something and how long it takes, over all sessions: what is likely to fail soon runs first."""

    def __init__(self):
        self.path = WORK / "record.json"
        self.tests = json.loads(self.path.read_text()) if self.path.exists() else {}

    def seconds(self, name):
        """The longest it took when it passed, 0 when it never did."""
        return self.tests.get(name, (0, 0, 0))[2]

    def cost(self, name, seconds, file):
        """Seconds for each fault that the test is expected to notice."""
        tried, noticed, _ = self.tests.get(name, (0, 0, 0))
        related = name.startswith(file.split("/")[1] + "_") or shares_word(name, file)
        return (0.05 + seconds) * (tried + 5) / (noticed + (2 if related else 0.2))

    def add(self, name, failed, seconds):
        tried, noticed, longest = self.tests.get(name, (0, 0, 0.0))
        self.tests[name] = (tried + 1, noticed + failed, longest if failed else max(longest, seconds))

    def keep(self):
        self.path.write_text(json.dumps(self.tests))


def covering(table, file, line, record):
    """Tests that enter the function around a line: those that reach the line first, the promising before others."""
    if "folders" in table:
        def cost(name):
            return record.cost(name, table["seconds"][name], file)

        near = likely_first(table["folders"].get(file.split("/")[1], []), file)
        broad = [name for name in ("abi_values", "compile_lost") if name in table["seconds"]]
        order = [*near[:2], *broad, *sorted(near[2:], key=cost), "golden"]
        return [*order, *sorted(set(table["seconds"]) - set(order), key=cost)]
    first, last = function_around(file, line)
    numbers = table["lines"].get(file, {})
    names = {name for number in range(first, last + 1) for name in numbers.get(str(number), [])}
    if not names:
        # it is part of other functions: whoever uses the files that it is in
        names = {name for source in includers(file) for tests in table["lines"].get(source, {}).values() for name in tests}
    before = [number for number in map(int, numbers) if first <= number <= line]
    exact = set(numbers[str(max(before))]) if before else set()
    return sorted(names, key=lambda name: (name not in exact, record.cost(name, table["seconds"][name], file)))


def affordable(names, seconds, budget):
    """As many of the first tests as take so many seconds together, at least one; all of them without a budget."""
    spent = 0
    for number, name in enumerate(names):
        spent += seconds[name]
        if budget and number and spent > budget:
            return names[:number]
    return names


# ---------------------------------------------------------------- faults

SWAPS = [("&&", "||"), ("||", "&&"), ("==", "!="), ("!=", "=="), ("<=", "<"), (">=", ">"), ("+=", "-="), ("-=", "+="),
         (" < ", " <= "), (" > ", " >= "), (" < ", " > "), (" > ", " < "), (" + ", " - "), (" - ", " + "), (" * ", " / "),
         (" / ", " * "), ("++", "--"), ("--", "++"), (" & ", " | "), (" | ", " & "), ("fmin(", "fmax("), ("fmax(", "fmin(")]
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:[eE][-+]?\d+)?)(?![\w.])")
CALL = re.compile(r"\b([A-Za-z_]\w*)\(([^(),]+), ([^(),]+)([,)])")
STATEMENT = re.compile(r"^\s+[A-Za-z_*(][^{}]*;\s*$")
DECLARATION = re.compile(r"^\s*(const |static |return\b|break;|continue;|goto |typedef |extern |else|case |(?:struct |unsigned )?"
                         r"[A-Za-z_]\w*\*? +(?:const +)?\*?[A-Za-z_]\w*(\[[^]]*\])*( = .*|, .*)?;)")


def blanked(line):
    """The line with strings, characters and comments overwritten by spaces."""
    return re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*|/\*.*?\*/', lambda match: " " * len(match[0]), line)


def faults_of(line):
    """All faults of one line as (kind, text)."""
    code = blanked(line)
    if not code.strip() or code.lstrip().startswith(("#", "*")) or re.search(r"assert\(|ASSERT", code):
        return []
    # more room than is needed changes nothing
    if re.match(r"^\s*(static |const )*[A-Za-z_]\w*\*? [^=(]*\[\d+\][^=(]*;\s*$", code):
        return []
    found = []
    for old, new in SWAPS:
        for match in re.finditer(re.escape(old), code):
            found.append(("operator", line[:match.start()] + new + line[match.end():]))
    for match in NUMBER.finditer(code):
        text = match[1]
        for other in ([str(int(text) + 1)] if text.isdigit() else [f"({text} * 1.25)"]) + (["0"] if float(text) else []):
            found.append(("constant", line[:match.start()] + other + line[match.end():]))
    match = re.search(r"\b(if|while) \((.*)\)( \{|.*;)\s*$", code)
    if match:
        start, end = match.span(2)
        found.append(("condition", line[:start] + "!(" + line[start:end] + ")" + line[end:]))
    if STATEMENT.match(code) and not DECLARATION.match(code):
        found.append(("dropped", line[:len(line) - len(line.lstrip())] + ";"))
    for match in CALL.finditer(code):
        if match[1] not in ("if", "for", "while", "sizeof") and match[2] != match[3]:
            swapped = f"{match[1]}({line[match.start(3):match.end(3)]}, {line[match.start(2):match.end(2)]}{match[4]}"
            found.append(("arguments", line[:match.start()] + swapped + line[match.end():]))
    return found


def in_function(text):
    """Numbers of the lines that lie in a block or a table, outside comments."""
    inside, depth, comment = set(), 0, False
    for number, line in enumerate(text.splitlines(), 1):
        code = blanked(line)
        if comment:
            comment = "*/" not in line
            continue
        if "/*" in code:
            comment = True
            continue
        if depth > 0:
            inside.add(number)
        depth += code.count("{") - code.count("}")
    return inside


def candidates(folders):
    """(file, line) of all lines that can carry a fault."""
    places = []
    for folder in folders:
        path = TREE / folder
        files = [path] if path.is_file() else sorted(path.rglob("*.[ch]"))
        for file in files:
            text = file.read_text()
            for number in sorted(in_function(text)):
                if faults_of(text.splitlines()[number - 1]):
                    places.append((str(file.relative_to(TREE)), number))
    return places


# ---------------------------------------------------------------- trying one


def kept_as(name, reference):
    return ("reference:" if reference else "") + name


class Session:
    """Builds faulty libraries and runs tests on them."""

    def __init__(self, arguments):
        self.reference = arguments.reference or arguments.both
        # with which the tests run, one after the other while nobody notices the fault
        self.passes = [False, True] if arguments.both else [arguments.reference]
        changed = copy_tree(self.reference, arguments.keep)
        print("mutate: building", flush=True)
        configure(BUILD)
        run(["ninja", f"-j{arguments.jobs}", "-C", str(BUILD), *targets(arguments.tests)])
        self.record = Record()
        self.table = quick_map(arguments.tests, self.record) if arguments.quick else load_map(self.reference, arguments.tests, changed)
        self.tests = {test[0]: test for test in ctests(arguments.tests)}
        self.tests["golden"] = ("golden", [str(BUILD / "test/golden"), "--first"], str(TREE))
        self.good = self.libraries()
        self.jobs = arguments.jobs
        self.budget, self.quick = arguments.budget, arguments.quick

    @staticmethod
    def libraries():
        return [hashlib.sha256((BUILD / name).read_bytes()).digest() for name in LIBRARIES.values()]

    @staticmethod
    def build(jobs=2):
        """False: does not compile, or only because C lets pointers of any kind pass."""
        done = subprocess.run(["ninja", f"-j{jobs}", "-C", str(BUILD), *LIBRARIES], capture_output=True, text=True)
        return done.returncode == 0 and "-Wincompatible-pointer" not in done.stdout and "-Wint-conversion" not in done.stdout

    def limit(self, name, reference):
        """Seconds after which a test hangs: plenty while nobody knows how long it takes."""
        known = self.record.seconds(kept_as(name, reference)) if self.quick else self.table["seconds"][name]
        return 20 + 5 * known if known else 300

    def first_failing(self, names, reference):
        """Runs tests side by side until one fails; '' when none does."""
        stop, failing = threading.Event(), []

        def one(name):
            if stop.is_set():
                return
            good, seconds = run_test(self.tests[name], environment(reference), self.limit(name, reference), stop)
            if good is None:
                return
            self.record.add(kept_as(name, reference), not good, seconds)
            if not good:
                failing.append(name)
                stop.set()

        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(one, names))
        self.record.keep()
        return failing[0] if failing else ""

    def judge(self, file, line):
        """'' when no test notices, else the name of the first that does, after 'reference:' when it needs that."""
        for reference in self.passes:
            names = [name for name in covering(self.table, file, line, self.record)
                     if name in self.tests and not (reference and name.startswith("golden"))]
            failing = self.first_failing(affordable(names, self.table["seconds"], self.budget), reference)
            if failing:
                return kept_as(failing, reference)
        return ""

    def passes_alone(self, result):
        """Whether the test that noticed a fault passes without it, where no map says so."""
        if not self.quick or self.record.seconds(result):
            return True
        self.build(self.jobs)
        name = result.removeprefix("reference:")
        good, seconds = run_test(self.tests[name], environment(result != name), 600)
        if good:
            self.record.add(result, False, seconds)
        else:
            print(f"mutate: {result} fails without a fault: left out", flush=True)
            del self.tests[name]
        return good

    def attempt(self, file, line, fault):
        """'invalid', 'same', 'survived' or the test that noticed."""
        path = TREE / file
        text = path.read_text()
        lines = text.split("\n")
        lines[line - 1] = fault
        while True:
            path.write_text("\n".join(lines))
            try:
                if not self.build(self.jobs):
                    return "invalid"
                if self.libraries() == self.good:
                    return "same"
                result = self.judge(file, line)
            finally:
                path.write_text(text)
            if not result:
                return "survived"
            if self.passes_alone(result):
                return result


LISTED = re.compile(r" *\d+ (\S+) +(\w+) +(\S+):(\d+)\n {5}- (.*)\n {5}\+ (.*)\n")


def survivors(path):
    """Those of a list, where their lines are now."""
    for result, kind, file, line, text, fault in LISTED.findall(path.read_text()):
        lines = (TREE / file).read_text().splitlines()
        same = [number for number, other in enumerate(lines, 1) if other.strip() == text]
        if result == "survived" and same:
            number = min(same, key=lambda number: abs(number - int(line)))
            yield file, number, kind, text, fault


def chosen(arguments):
    """Endless faults in random order, or all of the given lines, or what survived before."""
    if arguments.again:
        yield from survivors(arguments.list)
        return
    if arguments.at:
        for at in arguments.at:
            file, line = at.rsplit(":", 1)
            text = (TREE / file).read_text().splitlines()[int(line) - 1]
            for kind, fault in faults_of(text):
                yield file, int(line), kind, text, fault
        return
    generator = random.Random(arguments.seed)
    places = candidates(arguments.folders)
    while True:
        file, line = generator.choice(places)
        text = (TREE / file).read_text().splitlines()[line - 1]
        kinds = sorted({kind for kind, _ in faults_of(text)})
        kind = generator.choice(kinds)
        fault = generator.choice([fault for other, fault in faults_of(text) if other == kind])
        yield file, line, kind, text, fault


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=50, help="faults that count")
    parser.add_argument("--folders", nargs="+", default=["src"], help="folders or files")
    parser.add_argument("--at", nargs="+", help="FILE:LINE: all faults of these lines")
    parser.add_argument("--tests", default="", help="only tests whose names match this expression")
    parser.add_argument("--quick", action="store_true", help="no map: the tests of the file's folder and the golden data, then all others")
    parser.add_argument("--reference", action="store_true", help="with the reference, where build/oracle has it")
    parser.add_argument("--keep", action="store_true", help="the library of the last session, which its map was made for; tests of now")
    parser.add_argument("--both", action="store_true", help="without, and what survives with the reference")
    parser.add_argument("--again", action="store_true", help="only what survived in the list of this seed, which stays as it is")
    parser.add_argument("--budget", type=float, default=0, help="seconds of tests for each fault: quick, and notices rather fewer; --again tries the rest")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests and compilations at a time")
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    arguments.list = WORK / f"seed-{arguments.seed}{'-reference' if arguments.reference else ''}.txt"
    session = Session(arguments)
    listed = None if arguments.at or arguments.again else arguments.list.open("w")
    tried = caught = alone = 0
    for file, line, kind, text, fault in chosen(arguments):
        if listed and tried == arguments.count:
            break
        result = session.attempt(file, line, fault)
        if result in ("invalid", "same"):
            continue
        tried += 1
        caught += result != "survived"
        alone += result != "survived" and not result.startswith("reference:")
        entry = f"{tried:4} {result:32} {kind:9} {file}:{line}\n     - {text.strip()}\n     + {fault.strip()}"
        print(entry, flush=True)
        if listed:
            print(entry, file=listed, flush=True)
    session.build()
    figures = {"without": alone, "with": caught} if arguments.both else {"with" if arguments.reference else "without": caught}
    for how, noticed in figures.items():
        share = f" ({100 * noticed / tried:.0f} %)" if tried else ""
        figure = f"mutate: seed {arguments.seed}, {how} the reference: {noticed} of {tried} faults noticed{share}"
        print(figure)
        if listed:
            print(figure, file=listed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
