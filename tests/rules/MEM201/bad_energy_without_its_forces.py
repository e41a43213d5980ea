# the network is told to leave the forces out, and only the energy is read: the graph is of no use

import torch


def evaluate(model, val_loader, device):
    model.eval()
    errors = []
    for batch in val_loader:
        output = model(batch.to(device), compute_force=False)  #! MEM201 error
        errors.append((output["energy"] - batch.energy).abs().mean().item())
    return torch.tensor(errors).mean()
