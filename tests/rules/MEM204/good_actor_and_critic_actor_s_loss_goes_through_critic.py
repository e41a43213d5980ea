# actor and critic: the actor's loss goes through the critic on purpose

import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(6, 1)
actor_opt, critic_opt = torch.optim.Adam(actor.parameters()), torch.optim.Adam(critic.parameters())
for obs, act, target in zip(torch.randn(20, 8, 4), torch.randn(20, 8, 2), torch.randn(20, 8, 1)):
    critic_opt.zero_grad()
    (critic(torch.cat([obs, act], 1)) - target).pow(2).mean().backward()
    critic_opt.step()
    actor_opt.zero_grad()
    (-critic(torch.cat([obs, actor(obs)], 1)).mean()).backward()
    actor_opt.step()
