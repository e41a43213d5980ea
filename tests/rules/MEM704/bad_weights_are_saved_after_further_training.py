# the file is written after the training that follows

import torch
import torch.nn.functional as F


def search(model, loader, optimizer, rounds):
    lowest = float("inf")
    for turn in range(rounds):
        best_state = model.state_dict()
        if turn > 0:
            mean = loss_of(model, loader)
            if mean < lowest:
                lowest = mean
                best_state = model.state_dict()  #! MEM704 error
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
        torch.save(best_state, f"best-{turn}.pt")


def loss_of(model, loader):
    return sum(F.mse_loss(model(x), y).item() for x, y in loader)
