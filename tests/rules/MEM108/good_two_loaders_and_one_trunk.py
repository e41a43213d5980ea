# the batches of two loaders side by side go through one trunk, and what was listed is gone through twice

import torch
import torch.nn.functional as F


def both(trunk, one, two, first, second, opt):
    for a, b in zip(first, second):
        shared = trunk(torch.cat([a, b]))
        opt.zero_grad()
        F.mse_loss(one(shared), a).backward(retain_graph=True)
        F.mse_loss(two(shared), b).backward()
        opt.step()


def listed(net, heads, batches, opt):
    for x, ys in batches:
        states = [net(x), net(x.flip(0))]
        opt.zero_grad()
        for state, y in zip(states, ys):
            F.mse_loss(heads[0](state), y).backward(retain_graph=True)
        for state, y in zip(states, ys):
            F.mse_loss(heads[1](state), y).backward()
        opt.step()
