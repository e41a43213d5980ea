# a tensor made ahead of the epochs takes in the losses of each

import torch


def fit(model, optimizer, criterion, clients, prepare, targets):
    batches = [prepare(client)[0] * 2 for client in clients]
    losses = torch.zeros(5)
    for epoch in range(10):
        for i, batch in enumerate(batches):
            losses[i] = criterion(model(batch), targets)  #! MEM102
        optimizer.zero_grad()
        losses.sum().backward()
        optimizer.step()
