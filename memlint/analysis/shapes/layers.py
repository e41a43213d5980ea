"""What layers of torch make of the shape of their input, as data."""

from __future__ import annotations

from memlint.analysis.shapes.sizes import Shape

_SAME = frozenset(
    "ReLU LeakyReLU PReLU ELU CELU SELU GELU SiLU Mish Hardswish Hardtanh ReLU6 Sigmoid LogSigmoid Tanh "
    "Softplus Softmax LogSoftmax Dropout Dropout1d Dropout2d AlphaDropout BatchNorm1d BatchNorm2d LayerNorm "
    "GroupNorm InstanceNorm1d InstanceNorm2d RMSNorm Identity".split()
)


def output_shape(path: str, given: Shape | None, width: object) -> Shape | None:
    """The shape of what a layer gives.

    Args:
        path: the import path of its class.
        given: the shape of its input.
        width: the size of the last dimension, for a layer that sets it; anything but an int is unknown.
    """
    module, _, name = path.rpartition(".")
    if not module.startswith("torch.nn"):
        return None
    if name == "Linear":
        size = width if isinstance(width, int) else None
        return (*given[:-1], size) if given else (..., size)
    if name == "Flatten":
        return (None, None)
    return given if name in _SAME else None
