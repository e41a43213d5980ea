# The best is on disk, and yet what is tested in the end is the alias in memory

import torch


def train(model, loader, criterion, optimizer, test, folder, epochs):
    best = float("inf")
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        loss = test(model)
        if loss < best:
            best = loss
            best_state = model.state_dict()  #! MEM704 error
            torch.save(best_state, folder + "/best.t7")
    model.load_state_dict(best_state)
    return test(model)
