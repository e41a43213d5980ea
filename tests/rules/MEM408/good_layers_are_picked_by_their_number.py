# a list of layers is moved to the GPU and read by index in the training loop: no data set

import torch
from torch import nn


def refine(batches, device, depth=4):
    layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(depth)).to(device)
    heads = nn.Sequential(*[nn.Linear(16, 1) for _ in range(8)]).to(device)
    optimizer = torch.optim.SGD(layers.parameters(), lr=0.05)
    for step, x in enumerate(batches):
        x = x.to(device)
        i = step % depth
        optimizer.zero_grad()
        heads[i](torch.relu(layers[i](x))).square().mean().backward()
        optimizer.step()
