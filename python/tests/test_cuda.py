"""Batches on a GPU, or on the library that stands for one in tests: the states that the CPU gives, and fields that others see without a copy."""

import ctypes
import os
import pathlib

import numpy as np
import pytest

import sinew

XML = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/><geom size=".1" pos="0 0 -.5"/></body></worldbody>
  <actuator><motor joint="hinge"/></actuator></mujoco>"""


# the kernels as C, beside the package when it was built for tests; memory is then that of this machine
HOST = pathlib.Path(sinew.__file__).resolve().parents[1] / "libsinew_cuda_host.so"
STANDS_IN = HOST.exists() and "SINEW_CUDA" not in os.environ
if STANDS_IN:
    os.environ["SINEW_CUDA"] = str(HOST)


def make(**options):
    try:
        return sinew.Batch(XML, 16, device="cuda", **options)
    except ValueError as error:
        pytest.skip(f"no batch on a GPU here: {error}")


def test_a_gpu_that_is_not_there_is_an_error():
    try:
        sinew.Batch(XML, 2, device="cuda")
    except ValueError as error:
        assert "GPU" in str(error) or "CUDA" in str(error)
    with pytest.raises(ValueError, match="'cpu' or 'cuda', not 'gpu'"):
        sinew.Batch(XML, 2, device="gpu")
    with pytest.raises(ValueError, match="real is"):
        sinew.Batch(XML, 2, real="float16")


@pytest.mark.parametrize("real", ["float64", "float32"])
def test_the_states_of_the_cpu(real):
    batch, expected = make(real=real), sinew.Batch(XML, 16)
    control = np.linspace(-1, 1, 16)[:, None]
    batch.ctrl[:] = control
    expected.ctrl[:] = control
    for one in (batch, expected):
        one.step(nstep=50)
    batch.wait()
    tolerance = 1e-9 if real == "float64" else 1e-4
    assert batch.qpos.dtype == real and batch.qpos.shape == (16, 1)
    np.testing.assert_allclose(batch.qpos.numpy(), expected.qpos, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(np.asarray(batch.qvel), expected.qvel, rtol=tolerance, atol=tolerance)
    assert (batch.status == 0).all()
    batch.reset([3])
    assert batch.qpos.numpy()[3] == 0 and batch.qpos.numpy()[4] != 0


def test_pytorch_sees_the_memory():
    torch = pytest.importorskip("torch", reason="torch is not installed: fields on a GPU are not compared with it (pip install torch)")
    if STANDS_IN:
        pytest.skip("there is no GPU here: PyTorch is not tried")
    batch = make(real="float32")
    qpos, ctrl = torch.as_tensor(batch.qpos, device="cuda"), torch.from_dlpack(batch.ctrl)
    assert qpos.data_ptr() == batch.qpos.__cuda_array_interface__["data"][0] and ctrl.device.type == "cuda"
    ctrl.fill_(0.5)
    batch.step(nstep=10)
    torch.cuda.synchronize()
    assert batch.ctrl.numpy().tolist() == [[0.5]] * 16 and (qpos != 0).all()
    np.testing.assert_array_equal(qpos.cpu().numpy(), batch.qpos.numpy())
    del batch
    assert qpos.cpu().shape == (16, 1)


def test_others_get_the_address():
    batch = make(real="float32")
    batch.ctrl[:] = np.arange(16)[:, None]
    seen = batch.ctrl.__cuda_array_interface__
    assert seen["shape"] == (16, 1) and seen["typestr"] == "<f4" and seen["data"][1] is False and seen["stream"] == 1
    assert batch.ctrl.__dlpack_device__() == (2, 0)
    lent = len(sinew._device._lent)
    capsule = batch.ctrl.__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer(capsule, b"dltensor")
    tensor = sinew._device._Tensor.from_address(address)
    assert (tensor.data, tensor.ndim, tensor.code, tensor.bits, tensor.lanes) == (seen["data"][0], 2, 2, 32, 1)
    assert (ctypes.c_int64 * 2).from_address(tensor.shape)[:] == [16, 1]
    if STANDS_IN:
        assert (ctypes.c_float * 16).from_address(tensor.data)[:] == list(range(16))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(tensor.deleter)(address)
    assert len(sinew._device._lent) == lent


def test_what_a_field_on_a_gpu_cannot_do():
    batch = make()
    for wrong in (lambda: batch.qpos[0], lambda: batch.ctrl.__setitem__(0, 1.0)):
        with pytest.raises(TypeError, match="torch"):
            wrong()
    with pytest.raises(ValueError, match="broadcast|shape"):
        batch.ctrl[:] = np.zeros((3, 3))
    with pytest.raises(ValueError, match="GPU"):
        batch.rollout(nstep=3)
    batch.qpos = np.full((16, 1), np.nan)
    batch.step()
    with pytest.raises(sinew.SimulationError, match="qpos"):
        batch.wait()
