import random
from collections import deque

import gymnasium as gym
import torch
import torch.nn as nn
import torch.nn.functional as F


class WorldModel(nn.Module):
    def __init__(self, obs, act, z=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(obs, 128), nn.ELU(), nn.Linear(128, z))
        self.cell = nn.GRUCell(z + act, 64)
        self.dec = nn.Linear(64, obs)
        self.actor = nn.Linear(64, act)

    def observe(self, obs, action, h):
        z = self.enc(obs)
        return self.cell(torch.cat([z, action], -1), h)


class EpisodeBuffer:
    def __init__(self, size):
        self.data = deque(maxlen=size)

    def add(self, **transition):
        self.data.append(transition)  #= MEM116

    def sample(self, n):
        return random.sample(list(self.data), n)


env = gym.make("Pendulum-v1")
model = WorldModel(3, 1)
opt = torch.optim.Adam(model.parameters(), lr=6e-4)
memory = EpisodeBuffer(100_000)
for episode in range(500):
    obs, _ = env.reset()
    h = torch.zeros(1, 64)
    action = torch.zeros(1, 1)
    done = False
    while not done:
        o = torch.as_tensor(obs, dtype=torch.float32).unsqueeze(0)
        with torch.no_grad():
            h = model.observe(o, action, h)
            action = torch.tanh(model.actor(h))
        obs, reward, term, trunc, _ = env.step(action.numpy()[0])
        memory.add(obs=o, latent=h, action=action, reward=reward)
        done = term or trunc
    if len(memory.data) > 256:
        batch = memory.sample(64)
        ob = torch.cat([b["obs"] for b in batch])
        hh = torch.cat([b["latent"] for b in batch]).detach()
        loss = F.mse_loss(model.dec(hh), ob)
        opt.zero_grad()
        loss.backward()
        opt.step()
