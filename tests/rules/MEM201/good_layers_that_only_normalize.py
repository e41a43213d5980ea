# without weights of its own a layer builds no graph

import torch
from torch import nn


class Rewards:
    def __init__(self):
        self.norm = nn.BatchNorm1d(1, momentum=None, affine=False)

    def update(self, trajectories):
        rewards = torch.tensor([t["reward"] for t in trajectories]).unsqueeze(-1)
        self.norm.eval()
        rewards = self.norm(rewards)
        for i, trajectory in enumerate(trajectories):
            trajectory["reward"] = rewards[i].item()


def evaluate(loader):
    layers = nn.Sequential(nn.InstanceNorm2d(4), nn.ReLU(), nn.LayerNorm(8, elementwise_affine=False)).eval()
    total = 0.0
    for x in loader:
        total += layers(x.cuda()).sum().item()
    return total
