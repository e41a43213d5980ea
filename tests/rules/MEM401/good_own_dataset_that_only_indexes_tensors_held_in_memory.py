# an own dataset that only indexes tensors held in memory

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, length):
        self.series = torch.as_tensor(np.asarray(series), dtype=torch.float32)
        self.length = length

    def __len__(self):
        return len(self.series) - self.length

    def __getitem__(self, i):
        return self.series[i : i + self.length], self.series[i + self.length]


loader = DataLoader(Windows(np.random.randn(1000), 12), batch_size=32, shuffle=True)
net = torch.nn.Linear(12, 1)
opt = torch.optim.Adam(net.parameters())
for x, y in loader:
    opt.zero_grad()
    (net(x)[:, 0] - y).pow(2).mean().backward()
    opt.step()
