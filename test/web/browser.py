"""Chromium without a screen, driven by its DevTools protocol: enough of WebSocket (RFC 6455) and of the protocol for the
tests of the page, with nothing but Python."""
import base64
import http.server
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
import urllib.request

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]


def program():
    """The browser, or None."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Server:
    """The page's folder on a free port of this machine. Remembers what was asked for."""

    def __init__(self, folder):
        asked = self.asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *args):
                super().__init__(*args, directory=folder)

            def log_message(self, *args):
                asked.append(self.path)

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()


class Socket:
    """One WebSocket connection: texts in and out, bytes out."""

    def __init__(self, address):
        host, path = address.removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.socket.recv(1)
        if b" 101 " not in head:
            raise RuntimeError(head.decode())

    def read(self, n):
        data = b""
        while len(data) < n:
            part = self.socket.recv(n - len(data))
            if not part:
                raise EOFError("the browser closed the connection")
            data += part
        return data

    def send(self, text, binary=False):
        data = text if binary else text.encode()
        length = struct.pack("!B", 128 | len(data)) if len(data) < 126 else struct.pack("!BQ", 255, len(data))
        mask = os.urandom(4)
        self.socket.sendall((b"\x82" if binary else b"\x81") + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        text = b""
        while True:
            first, size = self.read(2)
            size &= 127
            if size > 125:
                size = int.from_bytes(self.read(2 if size == 126 else 8), "big")
            text += self.read(size)
            if first & 128:
                return text.decode()


class Browser:
    """A tab. Closing it ends the browser that was started here."""

    def __init__(self, width=960, height=640):
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--hide-scrollbars",
             "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
             f"--user-data-dir={self.folder}", f"--window-size={width},{height}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number = 0
        self.socket = Socket(self.find_tab())
        self.call("Page.enable")
        self.call("Runtime.enable")

    def find_tab(self):
        path = os.path.join(self.folder, "DevToolsActivePort")
        for _ in range(600):
            try:
                with open(path, encoding="utf-8") as file:
                    port = file.readline().strip()
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
                    for tab in json.load(answer):
                        if tab["type"] == "page":
                            return tab["webSocketDebuggerUrl"]
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError("the browser does not start")

    def call(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description"))
        return result["result"].get("value")

    def wait(self, expression, seconds=120):
        """Until the expression is true."""
        end = time.time() + seconds
        while time.time() < end:
            try:
                if self.value(expression):
                    return
            except RuntimeError:
                pass  # the page is not there yet
            time.sleep(0.2)
        raise TimeoutError(f"{expression}; the page says: {self.value('document.body.innerText')}")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start, end, **more):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, clickCount=1, **more)
        for i in range(1, 9):
            self.mouse("mouseMoved", *(a + (b - a) * i / 8 for a, b in zip(start, end)), buttons=1, **more)
            time.sleep(0.05)
        self.mouse("mouseReleased", *end, clickCount=1, **more)

    def picture(self, path):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        with open(path, "wb") as file:
            file.write(data)

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
