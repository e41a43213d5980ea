# decorators of the file that switch the recording off, and a training step behind one that does not

import torch


def without_grad(function):
    def inner(*args, **kwargs):
        with torch.no_grad():
            return function(*args, **kwargs)

    return inner


def quiet(model_mode):
    def decorate(function):
        @torch.inference_mode()
        def inner(*args, **kwargs):
            return function(*args, **kwargs)

        return inner

    return decorate


def counted(function):
    def inner(*args, **kwargs):
        inner.calls += 1
        return function(*args, **kwargs)

    inner.calls = 0
    return inner


@without_grad
def evaluate(model, val_loader):
    model.eval()
    return sum((model(x).argmax(1) == y).sum().item() for x, y in val_loader)


@quiet("eval")
def test(model, test_loader):
    model.eval()
    rows = []
    for x in test_loader:
        rows.append(model(x).argmax(1))
    return torch.cat(rows)


@counted
def train(model, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        opt.step()


@counted
def run(model, loader):
    opt = torch.optim.Adam(model.parameters())
    train(model, loader, opt)
    return evaluate(model, loader)
