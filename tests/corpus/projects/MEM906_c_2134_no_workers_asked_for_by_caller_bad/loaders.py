import torch
from torch.utils.data import DataLoader


def build(p, workers):
    return DataLoader(torch.load(p), batch_size=8, num_workers=workers, prefetch_factor=2)  #= MEM906
