import torch
import torch.nn as nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 128), nn.ReLU(), nn.Linear(128, 2))
        self.log_probs = []
        self.rewards = []

    def act(self, s):
        d = Categorical(logits=self.net(s))
        a = d.sample()
        self.log_probs.append(d.log_prob(a))
        return a.item()


def main(env, n):
    agent = Agent()
    optim = torch.optim.Adam(agent.parameters(), lr=3e-3)
    for ep in range(n):
        s, done = env.reset(), False
        while not done:
            s, r, done = env.step(agent.act(torch.as_tensor(s).float()))
            agent.rewards.append(r)
        g, loss = 0, []
        for lp, r in zip(reversed(agent.log_probs), reversed(agent.rewards)):
            g = r + 0.99 * g
            loss.append(-lp * g)
        optim.zero_grad()
        sum(loss).backward()
        optim.step()
        del agent.log_probs[:]
        del agent.rewards[:]
