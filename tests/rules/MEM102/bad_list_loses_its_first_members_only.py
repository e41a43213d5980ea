# what is cut off is the beginning of the first epoch, once: the rest grows

import torch


def train(net, loader, optimizer, warmup=100):
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss)  #! MEM102
    losses = losses[-warmup:]
    return [float(loss) for loss in losses]
