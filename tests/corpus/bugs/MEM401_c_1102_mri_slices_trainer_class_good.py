import argparse
from pathlib import Path

import h5py
import torch
from torch import nn
from torch.utils import data


class SliceData(data.Dataset):
    def __init__(self, root):
        self.files = sorted(Path(root).iterdir())

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        with h5py.File(self.files[i], "r") as f:
            k, t = f["kspace"][0], f["reconstruction_rss"][0]
        return torch.view_as_real(torch.from_numpy(k)), torch.from_numpy(t)


class Solver(object):
    def __init__(self, args):
        self.args = args
        self.net = nn.Sequential(nn.Conv2d(2, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 1, 3, padding=1)).cuda()
        self.optim = torch.optim.RMSprop(self.net.parameters(), args.lr)
        self.train_loader = data.DataLoader(dataset=SliceData(args.data), shuffle=True, batch_size=args.bs,
                                            num_workers=args.j, pin_memory=True, persistent_workers=args.j > 0)

    def run(self):
        for e in range(self.args.epochs):
            self.net.train()
            for k, t in self.train_loader:
                out = self.net(k.permute(0, 3, 1, 2).cuda(non_blocking=True)).squeeze(1)
                loss = nn.functional.l1_loss(out, t.cuda(non_blocking=True))
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
            print(e, loss.item())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data")
    p.add_argument("--bs", type=int, default=8)
    p.add_argument("-j", type=int, default=6)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--epochs", type=int, default=50)
    Solver(p.parse_args()).run()
