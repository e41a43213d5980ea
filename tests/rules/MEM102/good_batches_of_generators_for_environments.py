# generators that shuffle their data give the batches of several environments

import torch


def draw(data, batch_size):
    while True:
        order = torch.randperm(len(data[0]))
        data = (data[0][order], data[1][order])
        for i in range(0, len(data[0]), batch_size):
            yield data[0][i : i + batch_size], data[1][i : i + batch_size]


def train(model, optimizer, criterion, environments, weight):
    generators = [draw(environment, 32) for environment in environments]
    for step in range(1000):
        losses = torch.zeros(len(environments))
        for i, generator in enumerate(generators):
            inputs, labels = next(generator)
            losses[i] = criterion(model(inputs), labels)
        loss = losses.mean() + weight * losses.var()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
