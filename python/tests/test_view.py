"""A batch in a viewer: what a page would get is the batch's own state."""

import pathlib
import socket
import struct
import subprocess

import numpy as np
import pytest

import sinew
from test_model import XML

HEAD = 32  # bytes of a message before its numbers: src/live/message.h


@pytest.fixture
def hub():
    program = pathlib.Path(sinew.__file__).parent / "bin" / "sinew"
    process = subprocess.Popen([program, "view", "--serve", "--at", "0"], stdout=subprocess.PIPE, text=True)
    yield process.stdout.readline().split('"')[1]
    process.terminate()
    process.wait()


class Page:
    """What a browser is to the hub."""

    def __init__(self, address):
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        self.socket.sendall(f"GET /watch HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n".encode())
        while not self.read(1) == b"\n" or not self.read(2) == b"\r\n":
            pass

    def read(self, n):
        data = b""
        while len(data) < n:
            part = self.socket.recv(n - len(data))
            assert part, "the hub has gone"
            data += part
        return data

    def message(self):
        """The next binary message: kind, simulations, body."""
        size = self.read(2)[1]
        if size > 125:
            size = int.from_bytes(self.read(2 if size == 126 else 8), "big")
        data = self.read(size)
        assert data[:4] == b"SNV1"
        kind, _, nsim, _, nbytes = struct.unpack("<IQIIQ", data[4:HEAD])
        assert len(data) == HEAD + nbytes
        return kind, nsim, data[HEAD:]


def test_states_arrive(hub):
    batch = sinew.Batch(XML, 6, 1)
    page = Page(hub)
    with sinew.view(batch, hub, nsim=4) as view:
        kind, nsim, model = page.message()
        assert kind == 1 and nsim == 4 and len(model) > 1000
        batch.step(nstep=7)
        assert view.send()
        kind, nsim, body = page.message()
        rows = np.frombuffer(body).reshape(4, -1)
        assert kind == 2 and (rows[:, 0] == batch.time[:4]).all() and (rows[:, 1:13] == batch.qpos[:4]).all()
    with pytest.raises(ValueError, match="closed"):
        view.send()


def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionError, match="sinew view --listen"):
            sinew.view(sinew.Batch(XML, 2, 1), f"127.0.0.1:{free.getsockname()[1]}")
