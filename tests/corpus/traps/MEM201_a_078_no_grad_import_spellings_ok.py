import torch as th
from torch import no_grad
from torch.autograd import grad_mode
from torch.autograd.grad_mode import inference_mode

nograd = th.no_grad


def a(model, loader):
    model.eval()
    with no_grad():
        return th.cat([model(x) for x in loader])


def b(model, loader):
    model.eval()
    out = []
    with grad_mode.no_grad():
        for x in loader:
            out.append(model(x))
    return out


def c(model, loader):
    model.eval()
    with nograd(), th.autocast("cuda"):
        for x, y in loader:
            print((model(x).argmax(1) == y).float().mean())


@inference_mode()
def test(model, loader):
    model.eval()
    total = 0
    for x, y in loader:
        total += th.nn.functional.cross_entropy(model(x), y)
    return total


def d(model, loader):
    prev = th.is_grad_enabled()
    th.autograd.set_grad_enabled(False)
    res = [model(x) for x in loader]
    th.autograd.set_grad_enabled(prev)
    return res
