"""Classes of tensors that a script defines, on the simulated GPU: methods run, bytes stay the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import needs_simulation, simulated
from tests.runtime.support import measure, script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

CLASSES = """
import torch
from torch import nn

class Image(torch.Tensor):
    def brighter(self, factor):
        return self * factor

class Volume(torch.Tensor):
    '''Hands its spacing on to all that is computed from it, and has constructors called with tensors.'''

    @staticmethod
    def __new__(cls, data, spacing=1.0):
        made = torch.as_tensor(data).as_subclass(cls)
        made.spacing = spacing
        return made

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        made = super().__torch_function__(func, types, args, kwargs or {})
        if isinstance(made, Volume):
            made.spacing = next(a.spacing for a in args if isinstance(a, Volume))
        return made

    def new_empty(self, size, **options):
        return type(self)(self.as_subclass(torch.Tensor).new_empty(size, **options))

class Boxes(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, data, size):
        made = torch.Tensor._make_subclass(cls, data, data.requires_grad)
        made.canvas = size
        return made

class Scale(nn.Parameter):
    def __new__(cls, data):
        return torch.Tensor._make_subclass(cls, data, True)
"""

TRAINING = """
net = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2), nn.ReLU(), nn.Conv2d(16, 8, 3))
net.scale = Scale(torch.ones(1))
net = net.to("DEVICE")
assert type(net.scale).__name__ == "Scale" and net.scale.requires_grad
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    image = torch.randn(8, 3, 128, 128).as_subclass(Image).to("DEVICE").brighter(2.0)
    volume = Volume(torch.randn(8, 3, 128, 128), 0.5).to("DEVICE")
    boxes = Boxes(torch.rand(8, 4, device="DEVICE"), (128, 128))
    assert isinstance(image, Image) and boxes.canvas == (128, 128) and isinstance(boxes, Boxes)
    out = net(volume)
    assert isinstance(out, Volume) and out.spacing == 0.5
    assert type(out.cpu()) is Volume and type(out.as_subclass(torch.Tensor)) is not type(out)
    loss = (out.square().mean() * net.scale + net(image).as_subclass(torch.Tensor).mean()).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_they_train_and_take_what_they_take_in_host_memory(tmp_path: Path) -> None:
    text = CLASSES + TRAINING
    there = simulated(tmp_path, text.replace("DEVICE", "cuda"))
    here = measure(script(tmp_path / "here", text.replace("DEVICE", "cpu")), tmp_path / "v", device="cpu")
    assert (there.failure, here.failure) == (None, None)
    assert len(there.steps) == 3
    assert there.peak.bytes == pytest.approx(here.peak.bytes, rel=0.05)
