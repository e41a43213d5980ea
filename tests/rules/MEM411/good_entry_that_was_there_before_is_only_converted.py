# an entry that was there before is only converted

from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        if isinstance(self.files[i], str):
            self.files[i] = Path(self.files[i])
        return torch.load(self.files[i])


net = torch.nn.LazyLinear(1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Files(["a.pt"]), batch_size=1, num_workers=4):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
