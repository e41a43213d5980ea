# claim: STATIC, expected: confirmed (the loader refuses persistent workers where there are none)
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(256, 8), torch.randn(256, 1))
loader = DataLoader(data, batch_size=32, persistent_workers=True)
