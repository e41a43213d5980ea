"""Unconditional diffusion: "too many open files" and shared memory full after some thousand steps."""
import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
from torchvision.transforms import Compose, Resize, ToTensor


class Trainer:
    def __init__(self, unet, folder, steps=700000, bs=16):
        self.model = unet.cuda()
        ds = ImageFolder(folder, Compose([Resize((128, 128)), ToTensor()]))
        dl = DataLoader(ds, batch_size=bs, shuffle=True, pin_memory=True, num_workers=4)
        self.dl = itertools.cycle(dl)  #! MEM404
        self.opt = torch.optim.Adam(self.model.parameters(), lr=8e-5)
        self.steps = steps
        self.betas = torch.linspace(1e-4, 0.02, 1000).cuda()

    def p_losses(self, x):
        t = torch.randint(0, 1000, (x.size(0),), device=x.device)
        noise = torch.randn_like(x)
        a = (1 - self.betas).cumprod(0)[t].view(-1, 1, 1, 1)
        return nn.functional.mse_loss(self.model(a.sqrt() * x + (1 - a).sqrt() * noise, t), noise)

    def train(self):
        step = 0
        while step < self.steps:
            total = 0.0
            for _ in range(2):
                img, _ = next(self.dl)
                loss = self.p_losses(img.cuda(non_blocking=True)) / 2
                total += loss.item()
                loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            self.opt.zero_grad()
            step += 1
