# Scene fitting: camera views come from an endless iterator over the loader.
import itertools
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Options:
    iterations: int = 30_000
    views: int = 300
    size: int = 256
    workers: int = 4


class Views(Dataset):
    def __init__(self, opt: Options):
        self.opt = opt

    def __len__(self):
        return self.opt.views

    def __getitem__(self, i):
        image = torch.rand(3, self.opt.size, self.opt.size)
        return {"pose": torch.eye(4) * (1 + i), "image": image, "mask": image.mean(0) > 0.5}


def training(opt: Options):
    field = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 3))
    optimizer = torch.optim.Adam(field.parameters(), lr=1e-2, eps=1e-15)
    loader = DataLoader(Views(opt), batch_size=1, shuffle=True, num_workers=opt.workers)
    view_stack = iter(loader)
    for iteration in range(1, opt.iterations + 1):
        try:
            view = next(view_stack)
        except StopIteration:
            view_stack = iter(loader)
            view = next(view_stack)
        colour = field(view["pose"].flatten(1))
        loss = (colour - view["image"].mean((2, 3))).abs().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if iteration % 1000 == 0:
            print(iteration, loss.item())


training(Options())
