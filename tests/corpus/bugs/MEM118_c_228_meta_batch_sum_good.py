import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class MatchingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Sequential(nn.Conv2d(1, 32, 3, 2), nn.ReLU(), nn.Flatten(), nn.LazyLinear(64))

    def forward(self, support, query):
        s, q = self.emb(support), self.emb(query)
        return -torch.cdist(q, s)


class Trainer:
    def __init__(self, sampler, episodes=8):
        self.net, self.sampler, self.episodes = MatchingNet(), sampler, episodes
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def step(self):
        self.opt.zero_grad()
        loss_sum = torch.tensor(0.0)
        accs = []
        for e in range(self.episodes):
            sx, sy, qx, qy = self.sampler.sample()
            logits = self.net(sx, qx)
            loss = F.cross_entropy(logits, qy) / self.episodes
            loss.backward()
            loss_sum += loss.detach()
            accs.append((logits.argmax(1) == qy).float().mean().item())
        self.opt.step()
        return loss_sum.item(), np.mean(accs)

    def run(self, n):
        for i in range(n):
            print(i, self.step())
