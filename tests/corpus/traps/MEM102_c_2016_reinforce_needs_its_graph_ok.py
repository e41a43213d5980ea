# REINFORCE: the log-probabilities are what is trained, and the episode's list is cleared after its step.
import torch
from torch import nn
from torch.distributions import Bernoulli

policy = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


def play(length=40):
    state, log_probs, rewards = torch.randn(4), [], []
    for _ in range(length):
        dist = Bernoulli(logits=policy(state))
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        rewards.append(float((state.sum() > 0) == bool(action)))
        state = 0.8 * state + 0.2 * torch.randn(4)
    return log_probs, rewards


for episode in range(100):
    log_probs, rewards = play()
    returns, running = [], 0.0
    for r in reversed(rewards):
        running = r + 0.97 * running
        returns.insert(0, running)
    policy_loss = [-lp * g for lp, g in zip(log_probs, returns)]
    optimizer.zero_grad()
    torch.cat(policy_loss).sum().backward()
    optimizer.step()
