# a loss asks a policy for each part of the actions: the list lives for one step, and backward runs through it

import torch
from objectives import objective


def update(fabric, actor, optimizer, batch, sizes, mix):
    policies = actor(batch["states"].detach())[1]

    def reinforce():
        logprobs = [
            p.log_prob(action.detach()).unsqueeze(-1)
            for p, action in zip(policies, torch.split(batch["actions"], sizes, -1))
        ]
        return torch.stack(logprobs, -1).sum(-1) * batch["advantage"].detach()

    loss = -torch.mean(objective(mix, actor.is_continuous, batch["returns"], reinforce))
    optimizer.zero_grad()
    fabric.backward(loss)
    optimizer.step()
