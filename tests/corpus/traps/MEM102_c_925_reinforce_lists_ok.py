"""REINFORCE and PPO: graph kept as long as needed; replay with plain data."""
import collections
import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

Transition = collections.namedtuple("Transition", "s a r s2 d")


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 128), nn.ReLU())
        self.pi, self.v = nn.Linear(128, 2), nn.Linear(128, 1)
        self.saved_log_probs, self.rewards = [], []

    def forward(self, x):
        h = self.body(x)
        return self.pi(h).softmax(-1), self.v(h)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


def select_action(state):
    probs, value = policy(torch.from_numpy(state).float().unsqueeze(0))
    m = Categorical(probs)
    a = m.sample()
    policy.saved_log_probs.append((m.log_prob(a), value))
    return a.item()


def finish_episode():
    R, losses, returns = 0, [], collections.deque()
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.appendleft(R)
    for (lp, v), R in zip(policy.saved_log_probs, returns):
        losses.append(-lp * (R - v.item()) + (v.squeeze() - R) ** 2)
    optimizer.zero_grad()
    torch.cat(losses).sum().backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]


def collect(env, n):
    buf = collections.deque(maxlen=50000)
    s, _ = env.reset()
    for _ in range(n):
        with torch.no_grad():
            p, v = policy(torch.as_tensor(s)[None].float())
        a = int(p.argmax())
        s2, r, d, tr, _ = env.step(a)
        buf.append(Transition(s, a, r, s2, d))
        s = env.reset()[0] if d or tr else s2
    return buf


def main():
    env = gym.make("CartPole-v1")
    for ep in range(1000):
        s, _ = env.reset()
        for t in range(1000):
            s, r, d, _, _ = env.step(select_action(s))
            policy.rewards.append(r)
            if d:
                break
        finish_episode()


if __name__ == "__main__":
    main()
