# the name stands for a new list after each step, but another list keeps the old ones

import torch


def train(model, loader, optimizer):
    losses, history = [], []
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        losses.append(loss)  #! MEM102 warning
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(losses)  #! MEM102 warning
        losses = []
    return history
