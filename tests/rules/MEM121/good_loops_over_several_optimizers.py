# all optimizers are cleared, in a loop or by the networks; one of two steps by turns; the settings choose one

import torch
import torch.nn.functional as F


def choose(net, dl, adam):
    if adam:
        opt = torch.optim.Adam(net.parameters())
    else:
        opt = torch.optim.SGD(net.parameters(), 0.1)
    for x, y in dl:
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()


def all_of(a, b, dl):
    opts = [torch.optim.SGD(a.parameters(), 0.1), torch.optim.SGD(b.parameters(), 0.1)]
    for x, y in dl:
        for o in opts:
            o.zero_grad()
        F.mse_loss(b(a(x)), y).backward()
        for o in opts:
            o.step()


def turns(a, b, dl):
    oa, ob = torch.optim.SGD(a.parameters(), 0.1), torch.optim.SGD(b.parameters(), 0.1)
    for i, (x, y) in enumerate(dl):
        o = oa if i % 2 else ob
        a.zero_grad()
        b.zero_grad()
        F.mse_loss(b(a(x)), y).backward()
        o.step()


def turns2(a, b, dl):
    oa, ob = torch.optim.SGD(a.parameters(), 0.1), torch.optim.SGD(b.parameters(), 0.1)
    for x, y in dl:
        for o, n in ((oa, a), (ob, b)):
            o.zero_grad()
            F.mse_loss(n(x), y).backward()
            o.step()


def wrap(nets, dl):
    opts = {k: torch.optim.SGD(n.parameters(), 0.1) for k, n in nets.items()}
    for x, y in dl:
        for k in opts:
            opts[k].zero_grad()
        F.mse_loss(nets["b"](nets["a"](x)), y).backward()
        for o in opts.values():
            o.step()
