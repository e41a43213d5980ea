# the best of several models, one that training ends with, and one that is written at once

import torch


def step(model, loader, optimizer):
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def search(make, loader, score, rates):
    best_score, best_model = 0.0, None
    for rate in rates:
        model = make()
        step(model, loader, torch.optim.SGD(model.parameters(), lr=rate))
        current = score(model)
        if current > best_score:
            best_score, best_model = current, model
    return best_model


def until_good(model, loader, optimizer, score, epochs):
    best_model = None
    for _ in range(epochs):
        step(model, loader, optimizer)
        if score(model) > 0.9:
            best_model = model
            break
    return best_model


def written(model, loader, optimizer, score, epochs, path):
    best = 0.0
    for _ in range(epochs):
        step(model, loader, optimizer)
        if score(model) > best:
            best = score(model)
            best_model = model
            torch.save(best_model.state_dict(), path)
