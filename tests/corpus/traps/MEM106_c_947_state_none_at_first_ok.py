"""The state begins as None and is detached under a test for it; two heads share a trunk."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.fc = nn.LSTM(4, 8, batch_first=True), nn.Linear(8, 2)

    def forward(self, x, s=None):
        h, s = self.rnn(x, s)
        return self.fc(h[:, -1]), s


def detach_state(state):
    return tuple(s.detach() for s in state)


def run(loader, dev):
    net = Net().to(dev)
    opt = torch.optim.Adam(net.parameters())
    state = None
    for x, y in loader:
        opt.zero_grad()
        if state is not None:
            state = detach_state(state)
        out, state = net(x.to(dev), state)
        F.mse_loss(out, y.to(dev)).backward()
        opt.step()


def run_inline(loader):
    net = Net()
    opt = torch.optim.Adam(net.parameters())
    state = None
    for x, y in loader:
        opt.zero_grad()
        if state:
            state = [s.detach() for s in state]
        out, state = net(x, state)
        F.mse_loss(out, y).backward()
        opt.step()


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 8)
        self.a = nn.Linear(8, 1)
        self.b = nn.Linear(8, 3)

    def forward(self, x):
        h = self.trunk(x).relu()
        return {"a": self.a(h), "b": self.b(h)}


class Multi(Heads):
    def forward(self, x):
        h = self.trunk(x).relu()
        return self.a(h), self.b(h)


def two_heads(loader):
    net, dicts = Multi(), Heads()
    opt = torch.optim.Adam(net.parameters())
    other = torch.optim.Adam(dicts.parameters())
    for x, u, v in loader:
        opt.zero_grad()
        a, b = net(x)
        F.mse_loss(a, u).backward(retain_graph=True)
        F.mse_loss(b, v).backward()
        opt.step()
        other.zero_grad()
        out = dicts(x)
        F.mse_loss(out["a"], u).backward(retain_graph=True)
        F.mse_loss(out["b"], v).backward()
        other.step()
