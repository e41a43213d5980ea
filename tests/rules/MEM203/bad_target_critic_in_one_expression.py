"""The target is one expression, and the optimizer that steps was made elsewhere."""

import torch


def critic_step(critic, critic_target, policy, optimizer, r, s, a, s2, gamma):
    with torch.no_grad():
        a2 = policy(s2)
    y = r + gamma * critic_target(s2, a2)  #! MEM203 warning
    loss = (critic(s, a) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
