# whoever writes `enable_grad` wants the graph: what the network computes from it is out of view

import torch
from torch.utils.data import DataLoader
from potentials import load


def evaluate(data, path, device):
    potential = load(path).to(device).eval()
    total = 0.0
    for cells, expected in DataLoader(data, batch_size=8):
        with torch.enable_grad():
            energies, forces = potential(cells.to(device))
        total += float((expected - forces.detach().cpu()).abs().sum())
    return total


def check(data, model):
    model.eval()
    for cells, expected in DataLoader(data, batch_size=8):
        with torch.autocast("cuda"), torch.set_grad_enabled(True):
            wrong = (model(cells) - expected).abs().max()
        print(wrong.item())
