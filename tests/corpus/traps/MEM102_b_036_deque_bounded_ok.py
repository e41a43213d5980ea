from collections import deque
import torch


def train(model, loader, opt, crit):
    window = deque(maxlen=50)
    best = None
    for x, y in loader:
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        window.append(loss.detach())
        if best is None or loss.item() < best:
            best = loss.item()
    return torch.stack(list(window)).mean(), best
