import collections

import torch
import torch.nn as nn
import torch.nn.functional as F


class Stats:
    def __init__(self):
        self.data = collections.defaultdict(list)

    def record(self, key, value):
        self.data[key].append(value)  #= MEM105

    def last(self, key, n=100):
        v = self.data[key][-n:]
        return sum(map(float, v)) / max(len(v), 1)


class PolicyNet(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.affine1, self.affine2 = nn.Linear(s, 128), nn.Linear(128, a)
        self.saved_log_probs, self.rewards = [], []

    def forward(self, x):
        return F.softmax(self.affine2(F.relu(self.affine1(x))), dim=-1)


def finish_episode(policy, optimizer, stats, gamma=0.99):
    R, returns = 0, collections.deque()
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.appendleft(R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    policy_loss = [-lp * R for lp, R in zip(policy.saved_log_probs, returns)]
    optimizer.zero_grad()
    policy_loss = torch.stack(policy_loss).sum()
    policy_loss.backward()
    optimizer.step()
    stats.record("policy_loss", policy_loss)  #! MEM105
    policy.rewards.clear()
    policy.saved_log_probs.clear()


def main(env, episodes=5000):
    policy = PolicyNet(4, 2)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    stats = Stats()
    for ep in range(episodes):
        state, done, total = env.reset(), False, 0
        while not done:
            dist = torch.distributions.Categorical(policy(torch.as_tensor(state).float()))
            a = dist.sample()
            policy.saved_log_probs.append(dist.log_prob(a))
            state, r, done, _ = env.step(a.item())
            policy.rewards.append(r)
            total += r
        finish_episode(policy, optimizer, stats)
        stats.record("return", total)
        if ep % 100 == 0:
            print(ep, stats.last("return"), stats.last("policy_loss"))
