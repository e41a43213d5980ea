# dictionary filled in __getitem__, flat script

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Scans(Dataset):
    def __init__(self, paths):
        self.paths = paths
        self.cache = {}

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, idx):
        if idx not in self.cache:
            self.cache[idx] = np.load(self.paths[idx])  #! MEM411 warning
        return torch.from_numpy(self.cache[idx])


scans = Scans([f"scan{i}.npy" for i in range(800)])
loader = DataLoader(scans, batch_size=2, shuffle=True, num_workers=4, persistent_workers=True)
net = torch.nn.LazyLinear(1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    for x in loader:
        opt.zero_grad()
        net(x.flatten(1)).mean().backward()
        opt.step()
