import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class RadarDataset(Dataset):
    def __init__(self, files, device):
        self.files = files
        self.device = device

    def __len__(self):
        return len(self.files)

    def _load(self, f):
        return torch.as_tensor(np.load(f), dtype=torch.float32, device=self.device)  #= MEM407

    def __getitem__(self, i):
        x = self._load(self.files[i])  #! MEM407
        return x, torch.tensor(i % 2, device=self.device)  #= MEM407


def train(files, net):
    ds = RadarDataset(files, torch.device("cuda:0"))
    dl = DataLoader(ds, 8, True, num_workers=4, persistent_workers=True)  #= MEM407
    net = net.cuda()
    opt = torch.optim.Adam(net.parameters())
    for ep in range(3):
        for x, y in dl:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
