"""Resume logic with many branches, all placed and freed."""
import glob
import os

import torch
from torch import nn


def latest(folder):
    found = sorted(glob.glob(os.path.join(folder, "*.pt")))
    return found[-1] if found else None


def read(path, device):
    blob = torch.load(path, map_location=device, weights_only=True)
    if "state_dict" in blob:
        blob = blob["state_dict"]
    return {k.replace("module.", ""): v for k, v in blob.items()}


class Trainer:
    def __init__(self, args):
        self.device = torch.device(args.device)
        self.net = nn.Linear(4, 4).to(self.device)
        self.opt = torch.optim.AdamW(self.net.parameters())
        self.epoch = 0
        path = args.resume or latest(args.out)
        if path:
            self.restore(path)

    def restore(self, path):
        try:
            blob = torch.load(path, map_location=lambda s, _: s)
        except FileNotFoundError:
            return
        missing, _ = self.net.load_state_dict(blob["net"], strict=False)
        if not missing:
            self.opt.load_state_dict(blob["opt"])
        self.epoch = blob["epoch"]

    def train(self, loader, epochs):
        for self.epoch in range(self.epoch, epochs):
            for x in loader:
                self.opt.zero_grad()
                self.net(x.to(self.device)).mean().backward()
                self.opt.step()
            torch.save({"net": self.net.state_dict(), "opt": self.opt.state_dict(), "epoch": self.epoch}, "last.pt")


def finetune(net, path, loader):
    net.load_state_dict(read(path, "cpu"))
    start = torch.load("meta.pt", map_location="cpu")["step"]
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for i, x in enumerate(loader, start):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
        if i % 100 == 0:
            best = {k: v.detach().clone().cpu() for k, v in net.state_dict().items()}
            torch.save(best, f"{i}.pt")
