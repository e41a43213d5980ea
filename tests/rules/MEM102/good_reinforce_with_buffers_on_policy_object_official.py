# REINFORCE with the buffers on the policy object, the official example's shape

import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(4, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return torch.softmax(self.affine(x), dim=-1)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters())


def select_action(state):
    m = torch.distributions.Categorical(policy(state))
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish():
    loss = torch.cat([-lp.view(1) * r for lp, r in zip(policy.saved_log_probs, policy.rewards)]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    policy.rewards.clear()
    policy.saved_log_probs.clear()


for episode in range(5):
    for t in range(10):
        policy.rewards.append(select_action(torch.randn(4)))
    finish()
