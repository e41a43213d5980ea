# the losses of a step are put into a tensor of all steps, through which their own backward runs: no fix

import torch
import torch.nn.functional as F


def train(net, optimizer, batches):
    for _ in range(10):
        losses = torch.zeros(2, len(batches))
        for step, (x, y) in enumerate(batches):
            losses[0, step] = F.mse_loss(net(x), y)  #! MEM102 error
            losses[1, step] = net.weight.abs().sum()
            optimizer.zero_grad()
            losses[:, step].sum().backward()
            optimizer.step()


def joined(net, optimizer, batches):
    bank = torch.zeros(0, 16)
    for x, _ in batches:
        features = net(x)
        bank = torch.cat((bank, features))[-100:]  #! MEM102 error
        optimizer.zero_grad()
        (features @ bank.T).logsumexp(1).mean().backward()
        optimizer.step()
