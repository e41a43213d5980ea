# REINFORCE sums over the log-probabilities of an episode that is over

import torch

policy = torch.nn.Linear(4, 2)
opt = torch.optim.Adam(policy.parameters())
for episode in range(5):
    states, rewards = torch.randn(20, 4), torch.rand(20)
    logp = torch.log_softmax(policy(states), dim=-1)[:, 0]
    loss = 0
    for lp, reward in zip(logp, rewards.flip(0).cumsum(0).flip(0)):
        loss -= lp * reward
    opt.zero_grad()
    loss.backward()
    opt.step()
