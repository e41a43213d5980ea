import os
import torch
import numpy as np
from torch.utils.data import DataLoader, Dataset, IterableDataset
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

class A(Dataset):
    def __init__(self, x, device):
        self.x = x
        self.device = device
    def __len__(self): return len(self.x)
    def __getitem__(self, i):
        return torch.tensor(self.x[i], device=self.device)  #! MEM407

class B(Dataset):
    def __init__(self, x):
        self.x = x
    def __len__(self): return len(self.x)
    def __getitem__(self, i):
        return self.x[i]
    def collate(self, items):
        return torch.stack(items).to(device)  #! MEM407

def pad(batch, dev):
    return torch.stack(batch).to(dev)  #! MEM407

class C(IterableDataset):
    def __iter__(self):
        yield from self.gen()
    def gen(self):
        for i in range(100):
            yield torch.zeros(3).cuda()  #! MEM407

class Tr:
    def __init__(self):
        self.device = device
        self.a = DataLoader(A(np.zeros((5, 5)), device=device), num_workers=4)
        b = B(torch.zeros(5, 5))
        self.b = DataLoader(b, num_workers=min(8, os.cpu_count()), collate_fn=b.collate)
        self.c = DataLoader(C(), num_workers=2)
        self.d = DataLoader(B(torch.zeros(5, 5)), num_workers=2, collate_fn=lambda s: pad(s, device))
        self.e = DataLoader(B(torch.zeros(5, 5)), num_workers=2, collate_fn=self.coll)
        self.g = DataLoader(B(torch.zeros(5)), generator=torch.Generator(device="cuda"))
    def coll(self, items):
        out = [i.to(self.device, non_blocking=True) for i in items]  #! MEM407
        return out
    def train(self, net, opt):
        for batch in self.a:
            batch = batch.to(self.device)
            opt.zero_grad(); net(batch).sum().backward(); opt.step()
