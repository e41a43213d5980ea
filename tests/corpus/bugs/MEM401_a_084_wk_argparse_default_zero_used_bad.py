import argparse

import h5py
import torch
from torch.utils.data import DataLoader, Dataset

from network import Classifier


class H5Crops(Dataset):
    def __init__(self, path):
        self.path = path
        with h5py.File(path, "r") as f:
            self.n = len(f["x"])

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        with h5py.File(self.path, "r") as f:
            return torch.from_numpy(f["x"][i]).float(), int(f["y"][i])


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("h5")
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=40)
    opt = ap.parse_args()
    dl = DataLoader(H5Crops(opt.h5), opt.batch_size, True)  #! MEM401
    model = Classifier().cuda()
    optim = torch.optim.RMSprop(model.parameters(), 1e-4)
    for ep in range(opt.epochs):
        for x, y in dl:
            optim.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            optim.step()
        print(ep, loss.item())
