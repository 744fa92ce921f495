#!/usr/bin/env python3
"""agree_peer.py MODEL...: 1000 steps of the reference on two CPUs, beside `bench_gpu --agree`.

The same library runs in two processes. One of them sees a CPU without fused multiply-add, for which the system has other
sines, cosines and exponentials: what two builds of the reference differ by. Largest difference of qpos after 10, 100, 300 and
1000 steps, relative to its largest number. The start and the controls are those of bench_gpu."""
import os
import subprocess
import sys

AT = [10, 100, 300, 1000]
OTHER = "glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-AVX512F"


def listed(k):
    h = (k + 1) * 2654435769 % 2**32
    h ^= h >> 16
    h = h * 0x85EBCA6B % 2**32
    h ^= h >> 13
    return h / 2147483648.0 - 1


def run(path):
    import mujoco
    m = mujoco.MjModel.from_xml_path(path)
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    for k in range(m.nu):
        low, high = m.actuator_ctrlrange[k]
        width = high - low if m.actuator_ctrllimited[k] else 2
        d.ctrl[k] = (m.key_ctrl[0, k] if m.nkey else 0) + 0.05 * width * listed(k)
    for step in range(1, AT[-1] + 1):
        mujoco.mj_step(m, d)
        if step in AT:
            print(*[x.hex() for x in d.qpos.tolist()])


def lines(path, **env):
    out = subprocess.run([sys.executable, __file__, "--run", path], env={**os.environ, **env}, check=True, capture_output=True, text=True)
    return [[float.fromhex(x) for x in line.split()] for line in out.stdout.splitlines()]


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        run(sys.argv[2])
        sys.exit()
    for path in sys.argv[1:]:
        one, other = lines(path), lines(path, GLIBC_TUNABLES=OTHER)
        gaps = [max(abs(x - y) for x, y in zip(a, b)) / max(1e-10, *map(abs, a)) for a, b in zip(one, other)]
        print(f"{'/'.join(path.split('/')[-2:]):26}", *[f"{gap:8.1e}" for gap in gaps], flush=True)
