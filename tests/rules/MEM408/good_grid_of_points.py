# the points of a differential equation, all of which belong to each step

import torch


def train(net, optimizer):
    t = torch.linspace(0, 1, 100_000).unsqueeze(1).cuda()
    for step in range(1000):
        optimizer.zero_grad()
        net(t[step % 10 :: 10]).pow(2).mean().backward()
        optimizer.step()
