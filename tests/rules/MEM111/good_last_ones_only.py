# a window of the last eight steps

from collections import deque


def train(net, loader, optimizer, loss_fn):
    recent = deque(maxlen=8)
    for x, y in loader:
        optimizer.zero_grad()
        loss_fn(net(x), y).backward()
        recent.append([p.grad.clone() for p in net.parameters()])
        optimizer.step()
    return recent
