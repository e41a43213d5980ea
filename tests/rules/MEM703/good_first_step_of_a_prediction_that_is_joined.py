# the first step is a view, to which the others are joined: what is saved is a tensor of its own

import torch


def predict(network, loader, steps):
    for xx, yy in loader:
        for t in range(steps):
            full, again = network(xx)
            if t == 0:
                found = full[..., -1:]
            else:
                found = torch.cat((found, full[..., -1:]), -1)
            xx = torch.cat((xx[..., 1:], full[..., -1:]), dim=-1)
        torch.save({"found": found, "yy": yy}, "found.pt")
