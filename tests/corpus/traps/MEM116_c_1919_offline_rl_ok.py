"""Offline RL with replay on the GPU, target nets, periodic checkpoints: in order."""
import copy
import os
from collections import deque

import numpy as np
import torch
from torch import nn


class Buffer:
    def __init__(self, path, device):
        with np.load(path) as z:
            self.data = {k: torch.as_tensor(z[k], device=device) for k in ("s", "a", "r", "s2", "d")}
        self.n = len(self.data["r"])

    def sample(self, b):
        i = torch.randint(0, self.n, (b,), device=self.data["r"].device)
        return [v[i] for v in self.data.values()]


class TD3BC:
    def __init__(self, ns, na, device):
        self.device = device
        self.pi = nn.Sequential(nn.Linear(ns, 64), nn.ReLU(), nn.Linear(64, na), nn.Tanh()).to(device)
        self.q = nn.Sequential(nn.Linear(ns + na, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
        self.pi_t, self.q_t = copy.deepcopy(self.pi), copy.deepcopy(self.q)
        self.po, self.qo = (torch.optim.Adam(m.parameters(), 3e-4) for m in (self.pi, self.q))
        self.recent = deque(maxlen=100)

    def update(self, batch):
        s, a, r, s2, d = batch
        with torch.no_grad():
            target = r + 0.99 * (1 - d) * self.q_t(torch.cat([s2, self.pi_t(s2)], 1)).squeeze(1)
        loss = (self.q(torch.cat([s, a], 1)).squeeze(1) - target).pow(2).mean()
        self.qo.zero_grad()
        loss.backward()
        self.qo.step()
        self.recent.append(loss.item())

    def save(self, path):
        torch.save({"pi": self.pi.state_dict(), "q": self.q.state_dict()}, path)

    def load(self, path):
        blob = torch.load(path, map_location=self.device)
        self.pi.load_state_dict(blob["pi"])
        self.q.load_state_dict(blob["q"])

    @torch.no_grad()
    def act(self, s):
        return self.pi(torch.as_tensor(s, device=self.device).float()[None])[0].cpu().numpy()


def main(path, env, steps=100000):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    agent, buf = TD3BC(17, 6, device), Buffer(path, device)
    if os.path.exists("last.pt"):
        agent.load("last.pt")
    best = -1e9
    for t in range(steps):
        agent.update(buf.sample(256))
        if t % 5000 == 0:
            s, done, total = env.reset(), False, 0.0
            while not done:
                s, r, done, _ = env.step(agent.act(s))
                total += r
            if total > best:
                best = total
                agent.save("best.pt")
            agent.save("last.pt")
            if torch.cuda.is_available():
                torch.cuda.empty_cache()
