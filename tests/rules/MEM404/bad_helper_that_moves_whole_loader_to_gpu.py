# helper that moves the whole loader to the GPU by a comprehension

import torch
from torch.utils.data import DataLoader


def preload(dl: DataLoader, device):
    return [(x.to(device), y.to(device)) for x, y in dl]  #! MEM404 error


def run(model, dataset, epochs=10):
    dl = DataLoader(dataset, batch_size=256, shuffle=True)
    cached = preload(dl, "cuda")
    opt = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        for x, y in cached:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
