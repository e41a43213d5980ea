# a file that trains on atoms; only its texts speak of forces

import torch


def evaluate(model, test_loader):
    """The mean energy: forces and virials are not looked at (see the other file for these)."""
    model.eval()
    total = 0.0
    for batch in test_loader:
        total += model(batch.atomic_numbers).mean().item()  #! MEM201 error
    return total / len(test_loader)  # forces would need a graph
