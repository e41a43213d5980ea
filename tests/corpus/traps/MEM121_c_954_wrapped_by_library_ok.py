"""What an optimizer of an unseen wrapper trains is the network that the wrapper was given."""
import metakit
import torch
from torch import nn
from torch.nn import functional as F
from taskdata import episodes


def learn(rate):
    body = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))
    tuner = metakit.optim.Learnable(model=body, rate=rate)
    adam = torch.optim.Adam(tuner.parameters(), lr=3e-4)
    for x, y in episodes("train"):
        adam.zero_grad()
        tuner.zero_grad()
        loss = F.cross_entropy(body(x), y)
        loss.backward()
        adam.step()
        tuner.step()


class Runner:
    def __init__(self):
        self.net = nn.Linear(20, 5)
        self.wrapped = metakit.Reversible(self.net)
        self.sgd = torch.optim.SGD(self.wrapped.parameters(), lr=0.1)

    def run(self):
        for x, y in episodes("train"):
            self.sgd.zero_grad()
            F.cross_entropy(self.net(x), y).backward()
            self.sgd.step()
