import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, n):
        self.x = torch.as_tensor(series).float()
        self.n = n

    def __len__(self):
        return len(self.x) - self.n

    def __getitem__(self, i):
        return self.x[i:i + self.n], self.x[i + self.n]


def loaders(series):
    k = int(0.8 * len(series))
    return DataLoader(Windows(series[:k], 24), 64, shuffle=True), DataLoader(Windows(series[k:], 24), 64)


def list_loader(samples):
    return DataLoader(samples, batch_size=16, shuffle=True, num_workers=0)
