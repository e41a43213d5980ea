"""Sums of functions that learn nothing: the class of the module stands inside a function."""
import torch
from counting import count


def profile(loader):
    kept = []
    for batch in loader:
        kept.append(count(torch.relu, batch))
    return kept
