# what a loop runs after eval() trains as well: normalization stays as it is, or it is what the loss is made of

import torch
from torch import nn

net = nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.Linear(64, 1))
optimizer = torch.optim.Adam(net.parameters())


def run(inputs):
    return net(inputs).mean()


def main(batches):
    for inputs in batches:
        optimizer.zero_grad()
        run(inputs).backward()
        net.eval()
        calm = run(inputs + 0.1 * torch.randn_like(inputs))
        (0.5 * calm).backward()
        net.train()
        optimizer.step()


main(torch.randn(100, 8, 16))
