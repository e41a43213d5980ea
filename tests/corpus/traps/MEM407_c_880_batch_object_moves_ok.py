"""407: what looks like device work in workers."""
import torch
from torch.utils.data import DataLoader, Dataset


class Batch:
    def __init__(self, items):
        self.x = torch.stack(items)

    def to(self, device):
        self.x = self.x.to(device, non_blocking=True)
        return self

    def cuda(self):
        return self.to("cuda")

    def pin_memory(self):
        self.x = self.x.pin_memory()
        return self


def collate(items):
    return Batch(items)


class Set(Dataset):
    def __init__(self, xs, dtype=torch.float32, device=None):
        self.xs = xs
        self.dtype = dtype
        self.device = device

    def __len__(self):
        return len(self.xs)

    def __getitem__(self, i):
        x = torch.as_tensor(self.xs[i]).to(self.dtype)
        return x.to(x.dtype)

    def stats(self):
        return torch.stack([self[i].cuda() for i in range(10)]).mean()


def main(xs, net):
    dl = DataLoader(Set(xs), 8, collate_fn=collate, num_workers=4, pin_memory=True, persistent_workers=True)
    net.cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for b in dl:
        b = b.cuda()
        opt.zero_grad()
        net(b.x).mean().backward()
        opt.step()
