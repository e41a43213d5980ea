# REINFORCE: the log-probabilities are back-propagated when the episode ends, then cleared

import torch
from torch.distributions import Categorical

policy = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.Softmax(-1))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
log_probs, rewards = [], []


def finish_episode():
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    policy_loss = [-lp * r for lp, r in zip(log_probs, returns)]
    optimizer.zero_grad()
    torch.stack(policy_loss).sum().backward()
    optimizer.step()
    del log_probs[:]
    del rewards[:]


for episode in range(20):
    state = torch.randn(4)
    for t in range(50):
        dist = Categorical(policy(state))
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        rewards.append(float(action))
        state = torch.randn(4)
    finish_episode()
