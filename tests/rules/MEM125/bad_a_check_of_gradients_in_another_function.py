# a check of gradients in one function excuses no other one that trains

import torch
from torch.autograd import gradcheck


def check(function, x):
    return gradcheck(function, (x.double().requires_grad_(),))


def train(model, optimizer, loader):
    torch.autograd.set_detect_anomaly(True)  #! MEM125 warning
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
