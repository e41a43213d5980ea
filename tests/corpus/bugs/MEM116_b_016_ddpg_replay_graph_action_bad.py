import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class ReplayBuffer:
    def __init__(self, size):
        self.storage = deque(maxlen=size)

    def add(self, *transition):
        self.storage.append(transition)  #= MEM116

    def sample(self, n):
        s, a, r, s2, d = zip(*random.sample(self.storage, n))
        return torch.stack(s), torch.stack(a).detach(), torch.tensor(r).unsqueeze(1), torch.stack(s2), torch.tensor(d).float().unsqueeze(1)


class Actor(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(s, 400), nn.ReLU(), nn.Linear(400, 300), nn.ReLU(), nn.Linear(300, a))

    def forward(self, s):
        return torch.tanh(self.net(s))


class Critic(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(s + a, 400), nn.ReLU(), nn.Linear(400, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], 1))


def train(env, steps, batch=64, gamma=0.99):
    actor, critic = Actor(env.s, env.a), Critic(env.s, env.a)
    a_opt = torch.optim.Adam(actor.parameters(), 1e-4)
    c_opt = torch.optim.Adam(critic.parameters(), 1e-3)
    memory = ReplayBuffer(1_000_000)
    state = torch.as_tensor(env.reset(), dtype=torch.float32)
    for t in range(steps):
        action = actor(state) + 0.1 * torch.randn(env.a)
        nxt, reward, done = env.step(action.detach().numpy())
        nxt = torch.as_tensor(nxt, dtype=torch.float32)
        memory.add(state, action, float(reward), nxt, done)  #! MEM116
        state = torch.as_tensor(env.reset(), dtype=torch.float32) if done else nxt
        if len(memory.storage) < 1000:
            continue
        s, a, r, s2, d = memory.sample(batch)
        with torch.no_grad():
            y = r + gamma * (1 - d) * critic(s2, actor(s2))
        c_loss = F.mse_loss(critic(s, a), y)
        c_opt.zero_grad()
        c_loss.backward()
        c_opt.step()
        a_loss = -critic(s, actor(s)).mean()
        a_opt.zero_grad()
        a_loss.backward()
        a_opt.step()
