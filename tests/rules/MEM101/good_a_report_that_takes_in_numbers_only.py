# What code out of view gives beside a loss is a report of numbers: it takes in nothing else.

import torch


class Denoiser(torch.nn.Module):
    def __init__(self, net, corruption):
        super().__init__()
        self.net, self.corruption = net, corruption

    def loss(self, batch):
        out = self.net(batch.graph)
        types, terms = self.corruption.types.loss(out["types"], batch.types)
        coords = (out["coords"] - batch.coords).pow(2).mean()
        total = types + coords
        terms.update({"loss": float(total.detach()), "coords": float(coords.detach())})
        return total, terms


def run(net, corruption, loader, optimizer):
    model = Denoiser(net, corruption)
    totals = {}
    for batch in loader:
        loss, terms = model.loss(batch.to("cuda"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for key, value in terms.items():
            totals[key] = totals.get(key, 0.0) + value
    return totals
