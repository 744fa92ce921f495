"""Running simulations in a viewer: `sinew view --listen` shows them in a window, and in browsers."""

import ctypes
from ctypes import c_char_p, c_int, c_void_p
from typing import Any

from sinew import _library, _native
from sinew._batch import NMESSAGE, Batch


NMOST = 1024  # simulations that a viewer takes


def _declare() -> ctypes.CDLL:
    library = _library.loaded()
    for name, result, arguments in [("sn_viewConnect", c_void_p, [c_char_p, c_void_p, c_int, c_char_p, c_int]),
                                    ("sn_viewSendBatch", c_int, [c_void_p, c_void_p]), ("sn_viewClose", None, [c_void_p])]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


C = _declare()


class View(_native.Stays):
    """A connection to a viewer; `sinew.view` makes it. With `with`, or `close()`, it ends; the viewer keeps the last state."""

    def __init__(self, batch: Batch, address: str | None = None, nsim: int = 16) -> None:
        self._batch, self._pointer = batch, None
        if not isinstance(batch, Batch):
            raise TypeError(f"a view shows a sinew.Batch, not {type(batch).__name__}")
        if not 1 <= nsim <= NMOST:
            raise ValueError(f"a view shows 1 to {NMOST} simulations, not {nsim}")
        message = ctypes.create_string_buffer(NMESSAGE)
        where = None if address is None else _native.text(address, "the address of a viewer")
        self._pointer = C.sn_viewConnect(where, batch.model._pointer, min(nsim, batch.nsim), message, NMESSAGE)
        if not self._pointer:
            raise ConnectionError(message.value.decode())

    def send(self) -> bool:
        """Shows the batch as it is now. It never waits for the viewer: what comes too fast is dropped. False: the viewer has gone."""
        if not self._pointer:
            raise ValueError("this view is closed")
        status = []
        self._batch._call(lambda pointer: status.append(C.sn_viewSendBatch(self._pointer, pointer)) or status[0], None, select=False)
        return status[0] == _native.OK

    def close(self) -> None:
        """Ends the connection; once is enough."""
        pointer, self._pointer = self._pointer, None
        if pointer:
            C.sn_viewClose(pointer)

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def view(batch: Batch, address: str | None = None, nsim: int = 16) -> View:
    """Shows the first `nsim` simulations of a batch side by side in a viewer that listens (`sinew view --listen`).

        with sinew.view(batch) as view:
            for _ in range(10000):
                batch.step()
                view.send()

    address: where the viewer is, "host:port"; None for "localhost:7700". ConnectionError: nobody listens there.
    """
    return View(batch, address, nsim)
