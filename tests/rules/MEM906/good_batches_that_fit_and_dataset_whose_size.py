# batches that fit, and a dataset whose size is not stated

import torch
from torch.utils.data import DataLoader, TensorDataset


def build(path, size):
    fits = DataLoader(TensorDataset(torch.randn(128, 4)), batch_size=128, drop_last=True)
    unknown = DataLoader(torch.load(path), batch_size=512, drop_last=True)
    given = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=size, drop_last=True)
    kept = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=64)
    return fits, unknown, given, kept
