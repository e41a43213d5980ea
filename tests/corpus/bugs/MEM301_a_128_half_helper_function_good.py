import torch
import torch.nn as nn


def network_to_half(network):
    """Convert everything but batch norm to half precision."""
    network.half()
    for m in network.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.float()
    return network


def main(model, loader, fp16=True, lr=1e-3):
    model = model.cuda()
    scaler = torch.amp.GradScaler("cuda", enabled=fp16)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=fp16):
            loss = nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
