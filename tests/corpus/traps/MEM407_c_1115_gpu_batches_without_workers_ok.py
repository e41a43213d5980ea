"""Device work in the same process, in data that workers never see."""
import torch
from torch.utils.data import DataLoader, Dataset, default_collate


class Synthetic(Dataset):
    def __init__(self, n, device):
        self.n, self.device = n, device

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return torch.rand(3, device=self.device), torch.zeros((), device=self.device)  #? MEM407 #? MEM407


class Loaderish:
    """Wraps a loader with workers and moves what comes out of it, in the main process."""

    def __init__(self, dl, device):
        self.dl, self.device = dl, device

    def __iter__(self):
        for b in self.dl:
            yield [t.to(self.device, non_blocking=True) for t in b]

    def __len__(self):
        return len(self.dl)


class Pairs(Dataset):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.x[-i]


def main():
    dev = torch.device("cuda")
    a = DataLoader(Synthetic(512, dev), 32)
    b = DataLoader(Pairs(torch.rand(100, 3)), 10, num_workers=0, collate_fn=lambda s: [t.to(dev) for t in default_collate(s)])
    c = Loaderish(DataLoader(Pairs(torch.rand(100, 3)), 10, num_workers=2, pin_memory=True, persistent_workers=True), dev)
    net = torch.nn.Linear(3, 1).to(dev)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for dl in (a, b, c):
        for x, _ in dl:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
