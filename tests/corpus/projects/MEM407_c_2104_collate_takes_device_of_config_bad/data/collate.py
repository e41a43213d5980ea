import torch
from .config import device


def to_batch(items):
    return torch.stack(items).to(device)  #= MEM407
