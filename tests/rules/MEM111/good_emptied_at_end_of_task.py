# gradients of a few micro-batches, averaged and cleared before the step

import torch


def train(net, loader, optimizer, loss_fn):
    parts = []
    for step, (x, y) in enumerate(loader):
        net.zero_grad()
        loss_fn(net(x), y).backward()
        parts.append([p.grad.clone() for p in net.parameters()])
        if step % 4 == 3:
            for p, grads in zip(net.parameters(), zip(*parts)):
                p.grad = torch.stack(grads).mean(0)
            optimizer.step()
            parts.clear()
