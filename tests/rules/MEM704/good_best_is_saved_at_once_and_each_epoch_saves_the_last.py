# The best is on disk when it is kept; what each epoch saves again under another name is the last state

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
            snap = {"epoch": epoch + 1, "model": model.state_dict(), "best": best}
            torch.save(snap, folder + "/best_snap.t7")
            torch.save(model.state_dict(), folder + "/best.t7")
        torch.save(snap, folder + "/snap.t7")
        torch.save(model.state_dict(), folder + "/model.t7")
