"""call_peer.py: what Python adds to sn_batchStep for 1024 humanoids, for scripts/bench_gym.py.

Prints the milliseconds of processor time of the C call, and the microseconds of `Batch.step` where there is nothing to compute: it
does everything that it does otherwise, and the library returns at once.
"""
import statistics
import time

import sinew
from sinew._native import C

batch = sinew.Batch(sinew.scenes() / "humanoid.xml", 1024, 1)
pointer = batch._handle.pointer


def clock(call, count):
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count


full = statistics.median(clock(lambda: C.sn_batchStep(pointer, None, 1), 1) for _ in range(21))
empty = statistics.median(clock(lambda: batch.step([]), 100) for _ in range(21))
print(1e3 * full, 1e6 * empty)
