"""Loads in lambdas, conditional forms, agents and notebooks-turned-scripts."""
import os
import pathlib

import torch
from torch import nn

DEVICE = "cuda"


class Agent:
    def __init__(self, path):
        self.actor, self.critic = nn.Linear(4, 2).to(DEVICE), nn.Linear(4, 1).to(DEVICE)
        self.path = pathlib.Path(path)

    def load(self):
        self.actor.load_state_dict(torch.load(self.path / "actor.pth"))  #! MEM701
        self.critic.load_state_dict(torch.load(self.path / "critic.pth"))  #! MEM701


def resume(net, opt, path):
    if os.path.isfile(path):
        with open(path, "rb") as f:
            blob = torch.load(f)  #! MEM701
        net.load_state_dict(blob.get("model", blob))
        opt.load_state_dict(blob["opt"])


def partial(net, path):
    own = net.state_dict()
    pre = {k: v for k, v in torch.load(path).items() if k in own and v.shape == own[k].shape}  #! MEM701
    own.update(pre)
    net.load_state_dict(own)


def main():
    net = nn.Linear(3, 3).to(DEVICE)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    resume(net, opt, "a.pt")
    partial(net, "b.pt")
    for _ in range(10):
        opt.zero_grad()
        net(torch.rand(2, 3, device=DEVICE)).sum().backward()
        opt.step()
