# made in the epoch loop with the same arguments, by a helper

import torch
from torch.utils.data import DataLoader


def batches_of(dataset):
    return DataLoader(dataset, batch_size=32, shuffle=True, num_workers=6, pin_memory=True)  #! MEM406 advice


def fit(model, dataset, epochs):
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        loader = batches_of(dataset)
        for x, y in loader:
            opt.zero_grad()
            (model(x) - y).abs().mean().backward()
            opt.step()
