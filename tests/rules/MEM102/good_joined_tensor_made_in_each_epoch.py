# only the batches were made ahead of the loop, the tensor of losses is a new one in each epoch

import torch


def fit(model, optimizer, criterion, clients, prepare, targets):
    batches = [prepare(client)[0] * 2 for client in clients]
    for epoch in range(10):
        losses = torch.zeros(5)
        for i, batch in enumerate(batches):
            losses[i] = criterion(model(batch), targets)
        optimizer.zero_grad()
        losses.sum().backward()
        optimizer.step()
