"""fastMRI-like reader: every item opens an HDF5 file, nobody reads ahead."""
import argparse
from pathlib import Path

import h5py
import torch
from torch import nn
from torch.utils import data


class SliceData(data.Dataset):
    def __init__(self, root):
        self.examples = []
        for fname in sorted(Path(root).iterdir()):
            with h5py.File(fname, "r") as f:
                n = f["kspace"].shape[0]
            self.examples += [(fname, s) for s in range(n)]

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, i):
        fname, sl = self.examples[i]
        with h5py.File(fname, "r") as f:
            k, t = f["kspace"][sl], f["reconstruction_rss"][sl]
        return torch.view_as_real(torch.from_numpy(k)), torch.from_numpy(t)


class Solver(object):
    def __init__(self, args):
        self.args = args
        self.net = nn.Sequential(nn.Conv2d(2, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 1, 3, padding=1)).cuda()
        self.optim = torch.optim.RMSprop(self.net.parameters(), args.lr)
        self.train_loader = data.DataLoader(dataset=SliceData(args.data), shuffle=True, batch_size=args.bs, num_workers=0)  #! MEM401

    def run(self):
        for e in range(self.args.epochs):
            self.net.train()
            for k, t in self.train_loader:
                out = self.net(k.permute(0, 3, 1, 2).cuda()).squeeze(1)
                loss = nn.functional.l1_loss(out, t.cuda())
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
            print(e, loss.item())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data")
    p.add_argument("--bs", type=int, default=8)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--epochs", type=int, default=50)
    Solver(p.parse_args()).run()
