import random
from collections import deque

import gymnasium as gym
import torch
import torch.nn.functional as F


class Replay:
    def __init__(self, size):
        self.data = []
        self.size = size

    def push(self, *row):
        self.data.append(row)
        if len(self.data) > self.size:
            self.data.pop(0)

    def sample(self, n):
        return [torch.stack(c) for c in zip(*random.sample(self.data, n))]


def train(q, target, env, steps=50000):
    buffer = Replay(10000)
    opt = torch.optim.Adam(q.parameters(), 1e-3)
    scores = deque(maxlen=100)
    obs, _ = env.reset()
    score = 0.0
    for t in range(steps):
        s = torch.as_tensor(obs).float()
        with torch.no_grad():
            a = q(s).argmax()
        obs, r, term, trunc, _ = env.step(a.item())
        score += r
        buffer.push(s, a, torch.tensor(r), torch.as_tensor(obs).float(), torch.tensor(float(term)))
        if term or trunc:
            scores.append(score)
            score, (obs, _) = 0.0, env.reset()
        if len(buffer.data) >= 64:
            s, a, r, s2, d = buffer.sample(64)
            with torch.no_grad():
                y = r + 0.99 * (1 - d) * target(s2).max(1).values
            loss = F.mse_loss(q(s).gather(1, a[:, None])[:, 0], y)
            opt.zero_grad()
            loss.backward()
            opt.step()
