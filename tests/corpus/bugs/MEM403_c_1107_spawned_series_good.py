import numpy as np
import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, path, length=96):
        self.series = torch.from_numpy(np.load(path).astype(np.float32))
        self.length = length

    def __len__(self):
        return len(self.series) - self.length - 1

    def __getitem__(self, i):
        w = self.series[i:i + self.length + 1]
        return w[:-1], w[-1:]


def fit(model, path, epochs):
    loader = DataLoader(Windows(path), batch_size=256, shuffle=True, num_workers=6, persistent_workers=True)
    opt = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()


if __name__ == "__main__":
    mp.set_start_method("spawn", force=True)
    fit(torch.nn.Linear(96, 1), "elec.npy", 20)
