import numpy as np
import pandas as pd
import torch
from torch.utils.data import Dataset

dev = "cuda" if torch.cuda.is_available() else "cpu"


class Tab(Dataset):
    def __init__(self, csv):
        df = pd.read_csv(csv)
        self.x = torch.from_numpy(df.iloc[:, :-1].values.astype(np.float32))
        self.y = torch.tensor(df.iloc[:, -1].values, dtype=torch.long)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def noise(n, seed):
    rng = np.random.RandomState(seed)
    z = torch.from_numpy(rng.randn(n, 16)).float().to(dev)
    idx = torch.from_numpy(rng.randint(0, 5, n)).to(dev)
    w = torch.tensor([1.0, 2.0, 0.5]).to(dev)
    img = np.asarray(rng.rand(8, 8) * 255, dtype=np.uint8)
    return z, idx, w, torch.from_numpy(img).to(dev).float() / 255.0


def check(fn):
    x = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(fn, x)


class Meter:
    def __init__(self):
        self.total = torch.zeros(1, dtype=torch.float64, device=dev)

    def add(self, v):
        self.total += v.detach().double()
