# factory that builds the half model, optimizer chosen by name, while loop

import argparse

import torch
from torch import nn, optim


def build(width):
    net = nn.Sequential(nn.Linear(16, width), nn.GELU(), nn.Linear(width, 1))
    return net.cuda().half()  #! MEM301 error


parser = argparse.ArgumentParser()
parser.add_argument("--optim", default="Adam")
args = parser.parse_args()
net = build(64)
optimizer = getattr(optim, args.optim)(net.parameters(), lr=1e-3)
step = 0
while step < 1000:
    batch = torch.randn(32, 16, device="cuda", dtype=torch.float16)
    loss = (net(batch) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
