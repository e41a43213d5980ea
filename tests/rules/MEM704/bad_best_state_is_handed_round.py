# a function gets the best state so far and gives it back, new or old

import torch
from torch import nn


def judge(net, loss, best_loss, best_state):
    if loss < best_loss:
        best_loss = loss
        best_state = net.state_dict()  #! MEM704
    return best_loss, best_state


def fit(net, loader, validate):
    optimizer = torch.optim.Adam(net.parameters())
    best_loss, best_state = float("inf"), None
    for epoch in range(100):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        best_loss, best_state = judge(net, validate(net), best_loss, best_state)
    net.load_state_dict(best_state)
