import torch
from torch import nn


def evaluate_forces(model, loader, device):
    model.eval()
    mae_e, mae_f, n = 0.0, 0.0, 0
    for batch in loader:
        pos = batch["pos"].to(device).requires_grad_(True)
        energy = model(batch["z"].to(device), pos, batch["idx"].to(device))
        forces = -torch.autograd.grad(energy.sum(), pos)[0]
        mae_e += (energy.detach() - batch["energy"].to(device)).abs().sum().item()
        mae_f += (forces - batch["forces"].to(device)).abs().mean().item()
        n += len(batch["energy"])
    return mae_e / n, mae_f / len(loader)


def train_epoch(model, loader, opt, device):
    model.train()
    for batch in loader:
        pos = batch["pos"].to(device).requires_grad_(True)
        energy = model(batch["z"].to(device), pos, batch["idx"].to(device))
        forces = -torch.autograd.grad(energy.sum(), pos, create_graph=True)[0]
        loss = nn.functional.mse_loss(forces, batch["forces"].to(device))
        opt.zero_grad()
        loss.backward()
        opt.step()
