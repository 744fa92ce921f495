#!/usr/bin/env python3
"""page_test.py PAGE [PICTURES]: the page in a browser without a screen. Hashes of runs are those of web/hashes.txt; a scene
runs, is turned by the mouse, stepped back by keys and scripted; a broken model shows its error; nothing comes from elsewhere.
Skipped (77) where there is no Chromium. `page_test.py --node HASH` compares
the hashes in node, `--program HASH` those of this machine."""
import os
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(__file__))
import browser  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def committed():
    with open(os.path.join(ROOT, "web", "hashes.txt"), encoding="utf-8") as file:
        return [line.split() for line in file if line.strip() and not line.startswith("#")]


def check(name, good, details=""):
    print(f"{'ok  ' if good else 'FAIL'} {name} {details if not good else ''}")
    if not good:
        raise SystemExit(1)


def hashes_of(command):
    """Of a program that runs scenes: node with the module, or a native one."""
    paths = [os.path.join("scenes", name) for name, _ in committed()]
    out = subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    check("hashes of " + command[0], [line.split() for line in out.splitlines()] == committed(), out)


def hashes_in_browser(tab, server):
    names = ",".join(name.replace(".xml", "") for name, _ in committed())
    tab.open(f"{server.address}/index.html?hash={names}")
    tab.wait("document.title == 'done'", 600)
    out = tab.value("document.getElementById('out').textContent")
    check("hashes in the browser", [line.split() for line in out.splitlines()] == committed(), out)


def script(tab, server, scene, lines):
    """Runs hands on a scene; what they print as a dictionary of lists."""
    text = urllib.parse.quote("\n".join(lines))
    tab.open(f"{server.address}/index.html?scene={scene}&script={text}")
    tab.wait("document.title == 'done'", 300)
    values = {}
    for line in tab.value("document.getElementById('out').textContent").splitlines():
        name, _, value = line.partition("=")
        values.setdefault(name, []).append(value)
    return values


def hands(tab, server):
    values = script(tab, server, "humanoid", ["wait 5", "key space", "wait 1", "print paused time", "key right", "wait 1",
                                              "print time", "key left", "key left", "wait 1", "print past time", "print error"])
    times = [float(t) for t in values["time"]]
    check("keys", values["paused"] == ["1"] and times[1] > times[0] > times[2] and values["past"] == ["1"], values)
    check("no error", values["error"] == [""], values)


def mouse(tab, server, pictures):
    """The browser's own mouse turns the picture."""
    tab.open(f"{server.address}/index.html?scene=dominoes")
    tab.wait("document.getElementById('note').textContent == '' && Module.firstFrame > 0")
    print(f"     first frame after {tab.value('Module.firstFrame') / 1000:.2f} s")
    time.sleep(3)
    tab.value("Module.ccall('webPause', null, ['number'], [1])")
    time.sleep(1)
    picture = "document.getElementById('canvas').toDataURL()"
    before = tab.value(picture)
    tab.drag((450, 300), (520, 330), button="left")
    time.sleep(1)
    check("mouse", tab.value(picture) != before)
    tab.picture(os.path.join(pictures, "page.png"))


def broken(tab, server, page):
    with open(os.path.join(page, "broken.xml"), "w", encoding="utf-8") as file:
        file.write("<mujoco>\n<worldbody>\n<goem/></worldbody></mujoco>")
    tab.open(f"{server.address}/index.html?model=broken.xml")
    tab.wait("Module.calledRun && Module.ccall('webError', 'string', [], [])")
    error = tab.value("Module.ccall('webError', 'string', [], [])")
    os.remove(os.path.join(page, "broken.xml"))
    check("a broken model", "goem" in error, error)


def main():
    if sys.argv[1] in ("--node", "--program"):
        hashes_of(["node", sys.argv[2]] if sys.argv[1] == "--node" else [sys.argv[2]])
        return
    if not browser.program():
        print("left out: no Chromium here")
        sys.exit(77)
    page, pictures = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "."
    server = browser.Server(page)
    tab = browser.Browser()
    try:
        hands(tab, server)
        mouse(tab, server, pictures)
        broken(tab, server, page)
        hashes_in_browser(tab, server)
        outside = tab.value("performance.getEntriesByType('resource').map(e => e.name)"
                            f".filter(name => !name.startsWith('{server.address}') && !name.startsWith('data:'))")
        check("nothing from elsewhere", outside == [], outside)
    finally:
        tab.close()
        server.close()


if __name__ == "__main__":
    main()
