import random

import gymnasium as gym
import torch
from torch import nn


class Ring:
    def __init__(self, size):
        self.size, self.items, self.at = size, [], 0

    def push(self, *fields):
        if len(self.items) < self.size:
            self.items.append(None)
        self.items[self.at] = fields
        self.at = (self.at + 1) % self.size

    def sample(self, n):
        return random.sample(self.items, n)


class Explorer:
    def __init__(self, env, net, ring):
        self.env, self.net, self.ring = env, net, ring

    def episode(self):
        obs, _ = self.env.reset()
        done = False
        while not done:
            value = self.net(torch.as_tensor(obs))
            a = self.env.action_space.sample()
            obs2, r, term, trunc, _ = self.env.step(a)
            self.ring.push(obs, a, r, value.detach())
            obs, done = obs2, term or trunc


def learn(net, ring, opt):
    batch = ring.sample(32)
    x = torch.stack([torch.as_tensor(b[0]) for b in batch])
    r = torch.tensor([b[2] for b in batch], dtype=torch.float32)
    loss = (net(x).squeeze(-1) - r).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


def main():
    env = gym.make("Pendulum-v1")
    net = nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 1))
    ring = Ring(50_000)
    opt = torch.optim.Adam(net.parameters())
    explorer = Explorer(env, net, ring)
    for _ in range(1000):
        explorer.episode()
        learn(net, ring, opt)


main()
