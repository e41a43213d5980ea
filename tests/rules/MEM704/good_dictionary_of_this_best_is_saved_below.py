# a dictionary that is begun for this best epoch is written as soon as it is full

import torch
import torch.nn.functional as F


def train(model, adapters, loader, optimizer, epochs):
    lowest = float("inf")
    for epoch in range(epochs):
        losses = []
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        mean = sum(losses) / len(losses)
        if mean < lowest:
            lowest = mean
            best_data = {"epoch": epoch, "loss": lowest}
            if adapters:
                best_data["adapters"] = [adapter.state_dict() for adapter in adapters]
            else:
                best_data["model"] = model.state_dict()
            torch.save(best_data, "best.pt")
