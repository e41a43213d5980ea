import copy

import torch
from torch import nn


class SAC:
    def __init__(self, obs_dim, act_dim):
        self.actor = nn.Linear(obs_dim, act_dim)
        self.critic = nn.Linear(obs_dim + act_dim, 1)
        self.critic_target = copy.deepcopy(self.critic)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters())
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters())

    def update(self, obs, act, rew, nxt):
        with torch.no_grad():
            target = rew + 0.99 * self.critic_target(torch.cat([nxt, self.actor(nxt)], 1))
        critic_loss = (self.critic(torch.cat([obs, act], 1)) - target).pow(2).mean()
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        actor_loss = -self.critic(torch.cat([obs, self.actor(obs)], 1)).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()


def tune_prompt(lm, batches):
    """Only the prompt is trained: the gradients flow through the language model to it."""
    prompt = nn.Parameter(torch.zeros(4, 16))
    opt = torch.optim.Adam([prompt], lr=1e-2)
    for x in batches:
        out = lm(torch.cat([prompt, x]))
        loss = out.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


agent = SAC(3, 2)
for _ in range(10):
    agent.update(torch.randn(8, 3), torch.randn(8, 2), torch.randn(8, 1), torch.randn(8, 3))
tune_prompt(nn.Linear(16, 16), torch.randn(5, 6, 16))
