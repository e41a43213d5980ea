# The criterion is the same for all batches: the list has one loss for each of them.

import torch


def fit(net, criteria, loader, optimizer):
    losses = []
    loss_fn = criteria[0]
    for name, (x, y) in enumerate(loader):
        loss = loss_fn(net(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  #! MEM102 warning
    return losses
