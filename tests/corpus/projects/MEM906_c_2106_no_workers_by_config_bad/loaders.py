import torch
from torch.utils.data import DataLoader
from cfg import NUM_WORKERS


def build(p):
    return DataLoader(torch.load(p), batch_size=8, num_workers=NUM_WORKERS, persistent_workers=True)  #! MEM906
