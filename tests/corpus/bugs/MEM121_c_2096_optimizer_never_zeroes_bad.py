# An agent whose update never clears the gradients.
import random
from collections import deque, namedtuple

import torch
from torch import nn

Step = namedtuple("Step", "s a r s2 done")


class DQN:
    def __init__(self, obs, acts, gamma=0.99):
        self.q, self.target = self._net(obs, acts), self._net(obs, acts)
        self.target.load_state_dict(self.q.state_dict())
        self.optim = torch.optim.RMSprop(self.q.parameters(), lr=2.5e-4)
        self.memory, self.gamma = deque(maxlen=10_000), gamma

    @staticmethod
    def _net(obs, acts):
        return nn.Sequential(nn.Linear(obs, 64), nn.ReLU(), nn.Linear(64, acts))

    def learn(self, n=32):
        if len(self.memory) < n:
            return None
        s, a, r, s2, done = (torch.stack(f) for f in zip(*random.sample(self.memory, n)))
        with torch.no_grad():
            goal = r + self.gamma * self.target(s2).max(1).values * (1 - done)
        guess = self.q(s).gather(1, a[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(guess, goal)
        loss.backward()  #! MEM121
        for p in self.q.parameters():
            p.grad.clamp_(-1, 1)
        self.optim.step()
        return loss.item()


agent, s = DQN(4, 2), torch.randn(4)
for t in range(2000):
    a = torch.randint(2, ())
    s2 = 0.9 * s + 0.1 * torch.randn(4)
    agent.memory.append(Step(s, a, s2[a], s2, torch.tensor(float(t % 50 == 49))))
    s = s2
    agent.learn()
    if t % 500 == 0:
        agent.target.load_state_dict(agent.q.state_dict())
