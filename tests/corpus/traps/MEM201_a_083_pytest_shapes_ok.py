import pytest
import torch

from mymodels import build_model


@pytest.mark.parametrize("name", ["tiny", "small"])
def test_forward_shapes(name):
    model = build_model(name)
    model.eval()
    for size in (64, 96, 128):
        out = model(torch.randn(1, 3, size, size))  #? MEM201
        assert out.shape == (1, 10)


def test_backward():
    model = build_model("tiny")
    out = model(torch.randn(2, 3, 64, 64))
    out.mean().backward()
    for n, p in model.named_parameters():
        assert p.grad is not None, n
    with pytest.raises(RuntimeError):
        model(torch.randn(1, 1, 8, 8))
