import functools

import torch


def make_loss(net, crit):
    def loss_fn(batch):
        x, y = batch
        return crit(net(x), y)

    return loss_fn


def make_closure(net, crit, opt, data):
    def closure():
        opt.zero_grad()
        total = 0.0
        for x, y in data:
            total = total + crit(net(x), y)
        total.backward()
        return total

    return closure


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kw):
        out = fn(*args, **kw)
        print("done")
        return out
    return wrapper


def evaluator(net):
    @torch.no_grad()
    def evaluate(loader):
        net.eval()
        return [net(x).argmax(1) for x, _ in loader]

    def predict_all(loader):
        with torch.inference_mode():
            return torch.cat([net(x).cpu() for x in loader])

    return evaluate, predict_all
