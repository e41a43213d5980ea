# actor-critic: values and log-probabilities of one rollout are back-propagated together

import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi, self.v = nn.Linear(4, 2), nn.Linear(4, 1)

    def forward(self, s):
        return torch.distributions.Categorical(logits=self.pi(s)), self.v(s)


agent = Agent()
opt = torch.optim.Adam(agent.parameters())
for update in range(10):
    values, logps, rewards = [], [], []
    state = torch.randn(4)
    for _ in range(16):
        dist, value = agent(state)
        action = dist.sample()
        values.append(value)
        logps.append(dist.log_prob(action))
        rewards.append(torch.randn(1))
        state = torch.randn(4)
    adv = torch.cat(rewards) - torch.cat(values)
    loss = -(torch.stack(logps) * adv.detach()).mean() + adv.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
