# no_grad inside the loop, around the forward only

import torch


def test(model, test_loader, criterion):
    model.eval()
    total = 0.0
    for data, target in test_loader:
        with torch.no_grad():
            output = model(data)
            loss = criterion(output, target)
        total += loss.item()
    return total
