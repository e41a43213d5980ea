# Trajectories of a generative flow network go into a replay buffer right as they are on the GPU.
import random

import torch
from torch import nn

dev = torch.device("cuda")


class ReplayBuffer:
    def __init__(self, capacity: int, warmup: int):
        self.capacity, self.warmup = capacity, warmup
        self.buffer = []
        self.position = 0

    def push(self, *args):
        if len(self.buffer) < self.capacity:
            self.buffer.append(None)
        self.buffer[self.position] = tuple(x.detach().cpu() if torch.is_tensor(x) else x for x in args)
        self.position = (self.position + 1) % self.capacity

    def sample(self, n: int):
        return tuple(zip(*random.sample(self.buffer, n)))

    def __len__(self):
        return len(self.buffer)


sampler = nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 16)).to(dev)
critic = nn.Linear(16, 1).to(dev)
opt = torch.optim.Adam([*sampler.parameters(), *critic.parameters()], lr=1e-3)
replay = ReplayBuffer(capacity=100_000, warmup=200)

for it in range(80_000):
    noise = torch.randn(64, 16, device=dev)
    traj = sampler(noise)
    reward = -(traj - 1).abs().sum(1)
    loss = -reward.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    replay.push(traj, reward)
    if len(replay) > replay.warmup:
        xs, rs = replay.sample(8)
        xs, rs = torch.cat(xs).to(dev), torch.cat(rs).to(dev)
        opt.zero_grad()
        (critic(xs).squeeze(1) - rs).pow(2).mean().backward()
        opt.step()
