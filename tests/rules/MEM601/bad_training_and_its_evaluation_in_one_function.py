# The epochs train between evaluations under no_grad; a function that is given the network may train it.

import torch
from torch import nn


def fit(net, loader, optimizer, epochs):
    net = nn.DataParallel(net)  #! MEM601 warning
    net = net.cuda()
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            print(sum(net(x).mean().item() for x, _ in loader))


def start(net, loader, optimizer, run_epoch):
    wide = nn.DataParallel(net)  #! MEM601 warning
    run_epoch(wide, loader, optimizer)
    with torch.no_grad():
        print(wide(next(iter(loader))[0]).shape)
