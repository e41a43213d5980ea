# gradients are looked at between backward and step, where Apex has given them their true size

import torch


def train(net, batches):
    optimizer = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = torch.nn.functional.cross_entropy(net(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        for p in net.parameters():
            p.grad.clamp_(-1, 1)
        scaler.step(optimizer)
        scaler.update()
