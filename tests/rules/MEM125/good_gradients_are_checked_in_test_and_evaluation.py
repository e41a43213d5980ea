# gradients are checked in a test, and evaluation is profiled

import torch
from torch.autograd import gradcheck


def test_layer():
    layer = torch.nn.Linear(3, 3).double()
    for _ in range(3):
        assert gradcheck(layer, (torch.randn(2, 3, dtype=torch.float64, requires_grad=True),))


def measure(model, loader):
    with torch.no_grad(), torch.profiler.profile() as prof:
        for x in loader:
            model(x)
    return prof
