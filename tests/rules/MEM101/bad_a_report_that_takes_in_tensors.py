# The report takes in tensors: what is in it may have graphs.

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
        terms.update({"loss": total, "coords": coords})
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
            totals[key] = totals.get(key, 0.0) + value  #! MEM101 error
    return totals
