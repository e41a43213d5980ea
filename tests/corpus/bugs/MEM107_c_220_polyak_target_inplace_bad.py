import copy

import torch
from torch import nn


class DQN:
    def __init__(self, obs, act, tau=0.005):
        self.q = nn.Sequential(nn.Linear(obs, 64), nn.ReLU(), nn.Linear(64, act))
        self.q_target = copy.deepcopy(self.q)
        for p in self.q_target.parameters():
            p.requires_grad = False
        self.tau = tau
        self.optim = torch.optim.Adam(self.q.parameters(), lr=1e-3)

    def sync(self):
        for tgt, src in zip(self.q_target.parameters(), self.q.parameters()):
            tgt.copy_(self.tau * src + (1 - self.tau) * tgt)  #! MEM107

    def learn(self, s, a, r, s2, done):
        with torch.no_grad():
            y = r + 0.99 * (1 - done) * self.q_target(s2).max(1).values
        q = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        loss = nn.functional.huber_loss(q, y)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.sync()
        return loss.item()


if __name__ == "__main__":
    agent = DQN(4, 2)
    for _ in range(1000):
        agent.learn(torch.randn(32, 4), torch.randint(0, 2, (32,)), torch.randn(32), torch.randn(32, 4), torch.zeros(32))
