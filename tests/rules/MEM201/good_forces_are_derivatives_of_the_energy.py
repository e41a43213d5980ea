# networks of other files that differentiate their energy: under no_grad they could not

import torch
from potentials import build


def evaluate(model, val_loader, loss_fn, wanted):
    model.eval()
    total = 0.0
    for batch in val_loader:
        output = model(batch, compute_force=wanted["forces"], compute_stress=False)
        total += loss_fn(output, batch).item()
    return total / len(val_loader)


def test(config, test_loader, device):
    net = build(config).to(device)
    net.eval()
    errors = []
    for batch in test_loader:
        if config.angles:
            result = net([batch.atoms.to(device), batch.angles.to(device)])
        else:
            result = net([batch.atoms.to(device)])
        error = (result["energy"] - batch.energy.to(device)).abs().mean().item()
        if config.forces:
            error += (result["forces"] - batch.forces.to(device)).abs().mean().item()
        errors.append(error)
    return torch.tensor(errors).mean()
