"""warp_peer.py [--drift | --compile] MODEL...: what bench_gpu measures, with MuJoCo Warp.

The same models, first keyframes and controls, one step per call through a CUDA graph, and the model's own solver settings. --compile only
makes the kernels, which Warp keeps for the next run. --drift: energy and momentum after 1000 steps without forces and constraints.
Needs the packages mujoco and mujoco-warp and a GPU.
"""
import sys
import time

import mujoco
import numpy as np
import mujoco_warp as mjw
import warp as wp

SIZES = [(1024, 300), (8192, 300), (32768, 100), (65536, 100)]


def listed(n):
    """The first n numbers of the list of bench/gpu.c, from -1 to 1."""
    h = np.arange(1, n + 1, dtype=np.uint32) * np.uint32(2654435769)
    h ^= h >> np.uint32(16)
    h *= np.uint32(0x85EBCA6B)
    h ^= h >> np.uint32(13)
    return h / 2147483648.0 - 1


def controls(m, n):
    """Around those of the first keyframe: a tenth of their range."""
    limited = m.actuator_ctrllimited.astype(bool)
    width = np.where(limited, m.actuator_ctrlrange[:, 1] - m.actuator_ctrlrange[:, 0], 2)
    centre = m.key_ctrl[0] if m.nkey else np.zeros(m.nu)
    return centre + 0.05 * width * listed(n * m.nu).reshape(n, m.nu)


def start(m, n):
    """Model and simulations on the GPU, and the graph of a step."""
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    model, data = mjw.put_model(m), mjw.put_data(m, d, nworld=n)
    if m.nu:
        data.ctrl.assign(controls(m, n).astype(np.float32))
    mjw.step(model, data)
    with wp.ScopedCapture() as capture:
        mjw.step(model, data)
    return data, capture.graph


def measure(m, name, n, steps):
    began = time.perf_counter()
    data, graph = start(m, n)
    wp.synchronize()
    made = time.perf_counter() - began
    for _ in range(9):
        wp.capture_launch(graph)
    wp.synchronize()
    began = time.perf_counter()
    for _ in range(steps):
        wp.capture_launch(graph)
    wp.synchronize()
    rate = n * steps / (time.perf_counter() - began)
    lost = int(np.isnan(data.qpos.numpy()).any(axis=1).sum())
    overflow = int((data.overflow.numpy() != 0).sum()) if hasattr(data, "overflow") else -1
    print(f"{name:26} warp   {n:6} simulations {1e-6 * rate:8.3f} million steps a second; made in {made:.2f} s; "
          f"{data.nefc.numpy().mean():.1f} rows, {data.solver_niter.numpy().mean():.2f} iterations; {lost} lost, {overflow} overflows",
          flush=True)


def kept(m, d, qpos, qvel):
    """Kinetic energy, momentum, and angular momentum about the centre of mass."""
    d.qpos[:], d.qvel[:] = qpos, qvel
    mujoco.mj_forward(m, d)
    mujoco.mj_energyVel(m, d)
    mujoco.mj_subtreeVel(m, d)
    return np.array([d.energy[1]]), m.body_subtreemass[0] * d.subtree_linvel[0], d.subtree_angmom[0].copy()


def drift(m, name, n=64, steps=1000):
    off = mujoco.mjtDisableBit
    m.opt.disableflags |= off.mjDSBL_CONSTRAINT | off.mjDSBL_SPRING | off.mjDSBL_DAMPER | off.mjDSBL_GRAVITY | off.mjDSBL_ACTUATION
    m.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    model, data = mjw.put_model(m), mjw.put_data(m, d, nworld=n)
    data.qvel.assign(listed(n * m.nv).reshape(n, m.nv).astype(np.float32))
    before = data.qpos.numpy().copy(), data.qvel.numpy().copy()
    mjw.step(model, data)
    with wp.ScopedCapture() as capture:
        mjw.step(model, data)
    for _ in range(steps - 1):
        wp.capture_launch(capture.graph)
    after = data.qpos.numpy(), data.qvel.numpy()
    most = np.zeros(3)
    for i in range(n):
        a, b = kept(m, d, before[0][i], before[1][i]), kept(m, d, after[0][i], after[1][i])
        most = np.maximum(most, [np.linalg.norm(y - x) / max(np.linalg.norm(x), 1e-15) for x, y in zip(a, b)])
    print(f"{name:26} warp   drift in {steps} steps: energy {most[0]:.2g}, momentum {most[1]:.2g}, angular momentum {most[2]:.2g}", flush=True)


def main():
    option = sys.argv[1] if sys.argv[1].startswith("--") else ""
    wp.config.quiet = True
    print("mujoco", mujoco.__version__, "warp", wp.__version__, flush=True)
    for path in sys.argv[2 if option else 1:]:
        m, name = mujoco.MjModel.from_xml_path(path), "/".join(path.split("/")[-2:])
        if option == "--drift":
            drift(m, name)
        elif option == "--compile":
            began = time.perf_counter()
            start(m, 1024)
            wp.synchronize()
            print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)
        else:
            for n, steps in SIZES:
                measure(m, name, n, steps)


if __name__ == "__main__":
    main()
