# backward runs through the last four entries of a list that each window begins again

import torch


def train(model, loader, optimizer):
    history = []
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        history.append(loss)
        if (i + 1) % 4 == 0:
            total = sum(history[-4:])
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            history = []
