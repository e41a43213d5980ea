import torch
import torch.nn as nn


def network_to_half(network):
    """Convert everything but batch norm to half precision."""
    network.half()  #! MEM301
    for m in network.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.float()
    return network


def main(model, loader, fp16=True, lr=1e-3):
    model = model.cuda()
    if fp16:
        model = network_to_half(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x.half() if fp16 else x).float(), y)
        loss.backward()
        optimizer.step()
