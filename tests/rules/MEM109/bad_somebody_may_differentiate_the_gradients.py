# an optimizer out of view may differentiate the gradients, and a flag asks for their graph: advice

import torch
from curvature import SecondOrder


def fit(net, loader):
    optimizer = SecondOrder(net.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward(create_graph=True)  #! MEM109 advice
        optimizer.step()


def fit_and_measure(net, loader, measures_curvature=False):
    for x, y in loader:
        net.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        if measures_curvature:
            loss.backward(create_graph=True)  #! MEM109 advice
        else:
            loss.backward()
