import random
from collections import deque
import torch
from torch import nn


class DQN:
    def __init__(self, n, a):
        self.q = nn.Sequential(nn.Linear(n, 64), nn.ReLU(), nn.Linear(64, a))
        self.t = nn.Sequential(nn.Linear(n, 64), nn.ReLU(), nn.Linear(64, a))
        self.opt = torch.optim.Adam(self.q.parameters())
        self.mem = deque(maxlen=100000)
        self.losses = []

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(2)
        return self.q(s.unsqueeze(0)).argmax().item()

    def learn(self):
        s, a, r, s2, d = zip(*random.sample(self.mem, 32))
        q = self.q(torch.stack(s)).gather(1, torch.tensor(a).unsqueeze(1)).squeeze(1)
        y = torch.tensor(r) + 0.99 * self.t(torch.stack(s2)).max(1)[0].detach() * (1 - torch.tensor(d).float())  #! MEM203
        loss = nn.functional.mse_loss(q, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.append(loss.item())

    def run(self, env, n):
        for ep in range(n):
            s, done = torch.tensor(env.reset()), False
            while not done:
                a = self.act(s, 0.1)
                s2, r, done, _ = env.step(a)
                s2 = torch.tensor(s2)
                self.mem.append((s, a, float(r), s2, float(done)))
                s = s2
                if len(self.mem) > 32:
                    self.learn()
