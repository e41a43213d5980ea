# a wrapper is made and the state is read in the loop: neither clears

import torch
from torch import nn
from tools import GradientStepLog, get_optimizer_state


def train(net, loader, every):
    optimizer = torch.optim.Adam(net.parameters())
    criterion = nn.CrossEntropyLoss()
    for number, (x, y) in enumerate(loader):
        log = GradientStepLog(net, optimizer)
        loss = criterion(net(x), y)
        loss.backward()  #! MEM121
        optimizer.step()
        if number % every == 0:
            log.write(get_optimizer_state(net, optimizer))
