"""The "best" weights are always the last ones; seen in an early-stopping helper with a score."""
import torch
from torch import nn


class EarlyStopping:
    def __init__(self, patience=10):
        self.patience, self.bad, self.best, self.state = patience, 0, None, None

    def step(self, score, net):
        if self.best is None or score > self.best:
            self.best, self.bad = score, 0
            self.state = net.state_dict()  #! MEM704
        else:
            self.bad += 1
        return self.bad >= self.patience

    def restore(self, net):
        net.load_state_dict(self.state)


def auc(net, x, y):
    with torch.no_grad():
        return ((net(x) > 0).float() == y).float().mean().item()


def fit(x, y, xv, yv):
    net = nn.Sequential(nn.Linear(20, 32), nn.SELU(), nn.Linear(32, 1))
    opt = torch.optim.NAdam(net.parameters())
    stop = EarlyStopping()
    for epoch in range(1000):
        opt.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(net(x), y).backward()
        opt.step()
        if stop.step(auc(net, xv, yv), net):
            break
    stop.restore(net)
    return net
