# the critic takes the actions as vectors: nothing takes numbers in their place

import torch
import torch.nn.functional as F


def critic_loss(critic, obs, actions, returns, n_actions):
    chosen = F.one_hot(actions, n_actions).float()
    values = critic(torch.cat([obs, chosen], dim=-1))
    return F.mse_loss(values.squeeze(-1), returns)
