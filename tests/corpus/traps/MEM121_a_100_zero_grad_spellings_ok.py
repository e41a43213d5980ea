import torch
from torch import nn


def train(net, heads, loader, epochs):
    o1 = torch.optim.Adam(net.parameters())
    o2 = torch.optim.Adam(heads.parameters())
    optimizers = {"net": o1, "heads": o2}
    for epoch in range(epochs):
        for x, y in loader:
            [o.zero_grad() for o in optimizers.values()]
            loss = nn.functional.cross_entropy(heads(net(x)), y)
            loss.backward()
            for name in optimizers:
                optimizers[name].step()
        for x, y in loader:
            for o in (o1, o2):
                o.zero_grad(set_to_none=True)
            nn.functional.cross_entropy(heads(net(x)), y).backward()
            o1.step(), o2.step()
        for x, y in loader:
            net.zero_grad()
            heads.zero_grad()
            loss = nn.functional.cross_entropy(heads(net(x)), y)
            loss.backward()
            o1.step()
            o2.step()
        for x, y in loader:
            for g in o1.param_groups + o2.param_groups:
                for p in g["params"]:
                    p.grad = None
            nn.functional.cross_entropy(heads(net(x)), y).backward()
            _ = [o.step() for o in (o1, o2)]
