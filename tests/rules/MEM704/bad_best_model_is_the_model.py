# the best model is the model itself, which goes on training

import torch


def fit(model, loader, optimizer, score, epochs):
    best_score, best_model = 0.0, None
    for _ in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        current = score(model)
        if current > best_score:
            best_score, best_model = current, model  #! MEM704 error
    return best_model
