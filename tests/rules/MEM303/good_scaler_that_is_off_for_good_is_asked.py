# a scaler that is switched off for good is never enabled: the other branch runs

import torch


def train(net, loader):
    optimizer = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for x, y in loader:
        optimizer.zero_grad()
        loss = net(x, y)
        loss.backward()
        if scaler.is_enabled():
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
