# The method of a model out of view gives a report beside the loss, whose entries are summed one by one.

import torch


def run(model, loader, optimizer, device):
    model.train()
    totals: dict[str, float] = {}
    for batch in loader:
        loss, terms = model.loss(batch.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, value in terms.items():
            totals[name] = totals.get(name, 0.0) + value
    return {name: value / len(loader) for name, value in totals.items()}


def main(net, loader):
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    return run(net, loader, optimizer, torch.device("cuda"))
