#!/usr/bin/env python3
"""The headers as C++ reads them: each alone, all together, and the strings and vectors of a spec with their own types.

Skipped (77) where no C++ compiler is found: the library itself needs none.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"

# what programs do with an mjSpec; each line is one that has to compile
USES = """
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>
#include <mujoco/mujoco.h>

template <class T, class Member> constexpr bool has(Member) {
  return std::is_same_v<Member, T*>;
}
static_assert(has<std::string>(mjsMesh{}.file));
static_assert(has<std::vector<std::string>>(mjsTexture{}.cubefiles));
static_assert(has<std::vector<float>>(mjsMesh{}.uservert));
static_assert(has<std::vector<int>>(mjsMesh{}.userface));
static_assert(has<std::vector<double>>(mjsNumeric{}.data));
static_assert(has<std::vector<std::byte>>(mjsTexture{}.data));
static_assert(has<std::vector<std::vector<int>>>(mjsSkin{}.vertid));
static_assert(has<std::vector<std::vector<float>>>(mjsSkin{}.vertweight));

std::string use(mjSpec* spec) {
  mjsBody* world = mjs_findBody(spec, "world");
  mjsGeom* geom = mjs_addGeom(world, nullptr);
  *geom->meshname = "m";
  mjsMesh* mesh = mjs_addMesh(spec, nullptr);
  mesh->uservert->push_back(1.0f);
  *mesh->userface = {0, 1, 2};
  return *spec->modelname + *mesh->file;
}
"""


def compiles(compiler, text, expected=True):
    """Whether C++ takes a text; what the compiler says goes to stderr where that is not expected."""
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-Wall", "-Werror", f"-I{INCLUDE}", file.name],
                              stderr=subprocess.PIPE, text=True)
    if done.returncode and expected:
        sys.stderr.write(done.stderr)
    return done.returncode == 0


def main():
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("clang++")
    if not compiler:
        print("no C++ compiler: skipped")
        return 77
    headers = sorted(str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob("*.h"))
    assert len(headers) > 10, headers
    lines = [f"#include <{header}>\n" for header in headers]
    failed = [line for line in lines if not compiles(compiler, line)]
    for name, text in (("all headers", "".join(lines)), ("uses of a spec", USES)):
        if not compiles(compiler, text):
            failed.append(name)
    # a check that says yes to everything would notice nothing
    assert not compiles(compiler, USES.replace("std::vector<int>>(mjsMesh", "std::vector<long>>(mjsMesh"), expected=False)
    print(f"{len(headers)} headers, {len(failed)} fail: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
