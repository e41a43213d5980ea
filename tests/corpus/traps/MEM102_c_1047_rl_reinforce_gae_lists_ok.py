import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 128), nn.Tanh())
        self.pi, self.v = nn.Linear(128, 2), nn.Linear(128, 1)
        self.saved, self.rewards = [], []

    def forward(self, s):
        h = self.body(s)
        return Categorical(logits=self.pi(h)), self.v(h)


def finish_episode(policy, opt, gamma=0.99):
    R, pl, vl, returns = 0, [], [], []
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    for (logp, value, ent), R in zip(policy.saved, returns):
        adv = R - value.item()
        pl.append(-logp * adv - 0.01 * ent)
        vl.append(nn.functional.smooth_l1_loss(value, R.view(1)))
    opt.zero_grad()
    loss = torch.stack(pl).sum() + torch.stack(vl).sum()
    loss.backward()
    opt.step()
    del policy.rewards[:]
    del policy.saved[:]
    return loss.item()


def main():
    env = gym.make("CartPole-v1")
    policy = Policy()
    opt = torch.optim.Adam(policy.parameters(), 3e-3)
    running, hist = 10, []
    for ep in range(1000):
        s, _ = env.reset()
        total = 0
        for t in range(10000):
            dist, value = policy(torch.from_numpy(s).float())
            a = dist.sample()
            policy.saved.append((dist.log_prob(a), value, dist.entropy()))
            s, r, term, trunc, _ = env.step(a.item())
            policy.rewards.append(r)
            total += r
            if term or trunc:
                break
        running = 0.05 * total + 0.95 * running
        hist.append((finish_episode(policy, opt), running))


main()
