#!/usr/bin/env python3
"""page_test.py PAGE [PICTURES]: the page in a browser without a screen. Hashes of runs are those of web/hashes.txt, with vector
kernels and without; a scene runs, is turned by the mouse, stepped back by keys and scripted; the humanoid is pulled, scrubbed back,
controlled and filmed by hands; every scene runs; files and a zip are dropped, a broken model shows its error, a missing mesh is asked for; a
running program is shown; the graphics card is lost; nothing comes from elsewhere. Skipped (77) where there is no Chromium.
`page_test.py --node HASH` compares the hashes in node, `--program HASH` those of this machine."""
import base64
import io
import json
import os
import struct
import subprocess
import sys
import time
import urllib.parse
import zipfile

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
    """Of a program that runs scenes: node with the module, or a native one. The module's name says which kernels it has."""
    if command[0] == "node":
        kernels = subprocess.run([*command, "--kernels"], capture_output=True, text=True, check=True).stdout.strip()
        check("kernels", kernels == ("scalar" if "plain" in command[1] else "simd128"), kernels)
    threads = ["--threads", "2"] if "threads" in command[-1] or command[0] != "node" else []
    paths = [os.path.join("scenes", name) for name, _ in committed()]
    out = subprocess.run([*command, *threads, *paths], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    check("hashes of " + command[0], [line.split() for line in out.splitlines()] == committed(), out)


def hashes_in_browser(tab, server, kernels, option):
    names = ",".join(name.replace(".xml", "") for name, _ in committed())
    tab.open(f"{server.address}/index.html?hash={names}{option}")
    tab.wait("document.title == 'done'", 600)
    out = tab.value("document.getElementById('out').textContent")
    check("hashes in the browser, " + kernels, [line.split() for line in out.splitlines()] == committed(), out)
    check("kernels in the browser", tab.value("Module.ccall('webKernels', 'string', [], [])") == kernels)


def threads(tab, server):
    """The first visit has one thread, the next ones have several, by the service worker's headers; the same hashes, and the scene
    runs. Without threads where it is asked for."""
    helpers = "Module.ccall('webThreads', 'number', [], [])"
    tab.open(f"{server.address}/index.html?scene=dominoes")
    tab.wait(RUNNING)
    tab.wait("navigator.serviceWorker.ready.then(() => true)", 30)
    if tab.value("navigator.hardwareConcurrency") < 2:
        print("left out: one core, no threads")
        return
    tab.open(f"{server.address}/index.html?scene=mesh_pile&again")
    tab.wait("location.search.endsWith('again') && " + RUNNING)
    check("threads", tab.value("crossOriginIsolated") and tab.value(helpers) >= 1, tab.value(helpers))
    before = float(values(tab, "time")["time"])
    tab.wait(f"{helpers} > 0")
    time.sleep(2)
    after = values(tab, "time error message")
    check("runs with threads", float(after["time"]) > before and after["error"] == "", after)
    hashes_in_browser(tab, server, "simd128", "&threads")
    check("hashes were by threads", tab.value(helpers) >= 1)
    tab.open(f"{server.address}/index.html?scene=cradle&single")
    tab.wait("location.search.endsWith('single') && " + RUNNING)
    check("one thread where asked for", tab.value(helpers) == 0)


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


RUNNING = "Module.calledRun && Module.firstFrame > 0 && document.getElementById('note').textContent == ''"


def values(tab, fields):
    """Fields of the model that is shown, by name."""
    tab.value("document.title = ''; document.getElementById('out').textContent = ''")
    tab.value(f"Module.ccall('webScript', 'number', ['string'], ['print {fields}'])")
    tab.wait("document.title == 'done'")
    out = tab.value("document.getElementById('out').textContent")
    return dict(line.split("=", 1) for line in out.splitlines() if "=" in line)


def newcomer(tab, server, pictures):
    """Pulls the humanoid, moves a slider, scrubs back by the time line and films, all by hand."""
    tab.open(f"{server.address}/index.html?scene=humanoid")
    tab.wait(RUNNING)
    time.sleep(2)
    before = values(tab, "time qpos[0] ctrl.waist_yaw")
    tab.mouse("mouseMoved", 540, 310)
    tab.mouse("mousePressed", 540, 310, clickCount=1, button="right", modifiers=2)
    for i in range(1, 9):
        tab.mouse("mouseMoved", 540 + 12 * i, 310 - 3 * i, buttons=2, modifiers=2)
        time.sleep(0.15)
    tab.value("document.getElementById('out').textContent = ''")
    tab.picture(os.path.join(pictures, "page-pull.png"))
    tab.mouse("mouseReleased", 636, 286, clickCount=1, button="right", modifiers=2)
    after = values(tab, "selected qpos[0] time")
    moved = abs(float(after["qpos[0]"]) - float(before["qpos[0]"]))
    check("pulled", after["selected"] != "" and moved > 0.005 and float(after["time"]) > float(before["time"]), (before, after))
    tab.drag((835, 220), (930, 220), button="left")
    control = values(tab, "ctrl[1]")
    check("control", abs(float(control["ctrl[1]"])) > 0.1, control)
    tab.drag((930, 485), (300, 485), button="left")
    past = values(tab, "past time paused")
    check("scrubbed back", past["past"] == "1" and past["paused"] == "1", past)
    tab.picture(os.path.join(pictures, "page-past.png"))
    tab.value("saved = []; download = (blob, name) => saved.push([name, blob.size]); key(' '); key('F9')")
    start = float(past["time"])
    while float(values(tab, "time")["time"]) < start + 0.5:
        time.sleep(0.5)
    tab.value("key('F9')")
    tab.wait("saved.length > 0", 30)
    film = tab.value("saved[0]")
    check("film", film[0] == "view.webm" and film[1] > 2000, film)


def gallery(tab, server):
    """Every scene that the page offers runs; one begins as the address says."""
    tab.open(f"{server.address}/index.html?scene=contact/mug&key=pick&camera=front&speed=0.5")
    tab.wait("location.search.includes('contact/mug') && " + RUNNING)
    begun = values(tab, "ctrl[0] camera speed")
    check("begins as it is asked to", begun == {"ctrl[0]": "0.14999999999999999", "camera": "2", "speed": "0.5"}, begun)
    names = tab.value("[...document.getElementById('scenes').options].map(option => option.value)")
    check("all scenes are offered", len(names) > 40 and "contact/mug" in names and "physics/flag" in names, names)
    for name in names:
        tab.value(f"(() => {{ const all = document.getElementById('scenes'); all.value = '{name}'; all.onchange(); }})()")
        for _ in range(100):
            shown = values(tab, "time error message")
            if float(shown["time"]) > 0:
                break
            time.sleep(0.1)
        good = float(shown["time"]) > 0 and shown["error"] == "" and "unstable" not in shown["message"]
        if not good:
            check(name, False, shown)
    check("all scenes run", True)


def drop(tab, files):
    """Drops files, given as names and bytes, on the page."""
    encoded = json.dumps([[name, base64.b64encode(data).decode()] for name, data in files])
    tab.value("(() => { const all = new DataTransfer();"
              f"for (const [name, text] of {encoded}) all.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name));"
              "window.dispatchEvent(new DragEvent('drop', { dataTransfer: all, cancelable: true })); })()")


MODEL = b"""<mujoco><asset><mesh name="part" file="part.obj"/></asset><worldbody><body name="dropped"><freejoint/>
<geom type="mesh" mesh="part"/></body></worldbody></mujoco>"""
MESH = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def drops(tab, server):
    """A model, one whose mesh is missing until it is dropped too, a zip, a damaged zip."""
    error = "Module.ccall('webError', 'string', [], [])"
    tab.open(f"{server.address}/index.html?scene=dominoes")
    tab.wait(RUNNING)
    drop(tab, [("bare.xml", b"<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")])
    tab.wait(f"{error} == ''")
    time.sleep(0.5)
    check("a file", values(tab, "qpos[6]")["qpos[6]"] == "0" and values(tab, "qpos[7]")["qpos[7]"] == "?")
    drop(tab, [("robot.xml", MODEL)])
    tab.wait(f"{error} != ''")
    check("a missing mesh is named", "part.obj" in tab.value(error), tab.value(error))
    drop(tab, [("part.obj", MESH)])
    tab.wait(f"{error} == ''")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("robot/robot.xml", MODEL)
        file.writestr("robot/part.obj", MESH)
    drop(tab, [("robot.zip", archive.getvalue())])
    time.sleep(1)
    check("a zip", tab.value(error) == "" and float(values(tab, "xpos.dropped[2]")["xpos.dropped[2]"]) <= 0)
    drop(tab, [("robot.zip", archive.getvalue()[:100])])
    tab.wait("document.getElementById('note').textContent.includes('damaged')")
    print("ok   a damaged zip")


def message(kind, body, signature=1, spec=3):
    """As a running program would send it: src/live/message.h."""
    return b"SNV1" + struct.pack("<IQIIQ", kind, signature, 1, spec, len(body)) + body


def live(tab, page):
    """A program shows itself by way of the hub; what is not its model's is left out."""
    program = next((p for p in (os.path.join(ROOT, "build", b, "cli", "sinew") for b in ("release", "debug")) if os.path.exists(p)), None)
    if not program:
        print("left out: there is no program `sinew` in build/")
        return
    hub = subprocess.Popen([program, "view", "--serve", "--at", "0", "--page", page], stdout=subprocess.PIPE, text=True)
    try:
        place = hub.stdout.readline().split('"')[1]
        tab.open(f"http://{place}/?live")
        tab.wait("document.getElementById('note').textContent.includes('waiting for a program')")
        socket = browser.Socket(f"ws://{place}/send")
        socket.send(message(1, b"<mujoco><worldbody><body name='ball'><freejoint/><geom size='1'/></body></worldbody></mujoco>"),
                    binary=True)
        state = struct.pack("<8d", 1.5, 0, 0, 2.25, 1, 0, 0, 0)
        socket.send(message(2, state), binary=True)
        tab.wait("document.getElementById('note').textContent == ''")
        time.sleep(1)
        shown = values(tab, "time qpos[2] live")
        check("a running program", float(shown["time"]) == 1.5 and float(shown["qpos[2]"]) == 2.25, shown)
        for bad in (message(2, state, signature=2), message(2, state[:-8]), b"noise", message(1, b"<mujoco")):
            socket.send(bad, binary=True)
            time.sleep(0.5)
        shown = values(tab, "time message")
        check("bad messages are said", float(shown["time"]) == 1.5 and "left out" in shown["message"], shown)
    finally:
        hub.terminate()
        hub.wait()


def lost(tab, server):
    tab.open(f"{server.address}/index.html?scene=cradle")
    tab.wait(RUNNING)
    tab.value("document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
    tab.wait("document.getElementById('note').textContent.includes('graphics card was lost')", 20)
    print("ok   a lost graphics card")


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
    if not os.path.exists(os.path.join(sys.argv[1], "sinew.wasm")):
        print("left out: the page was not built (make web)")
        sys.exit(77)
    page, pictures = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "."
    server = browser.Server(page)
    tab = browser.Browser()
    try:
        hands(tab, server)
        mouse(tab, server, pictures)
        newcomer(tab, server, pictures)
        gallery(tab, server)
        broken(tab, server, page)
        drops(tab, server)
        live(tab, page)
        lost(tab, server)
        hashes_in_browser(tab, server, "scalar", "&plain")
        hashes_in_browser(tab, server, "simd128", "&single")
        threads(tab, server)
        outside = tab.value("performance.getEntriesByType('resource').map(e => e.name)"
                            f".filter(name => !name.startsWith('{server.address}') && !name.startsWith('data:'))")
        check("nothing from elsewhere", outside == [], outside)
    finally:
        tab.close()
        server.close()


if __name__ == "__main__":
    main()
