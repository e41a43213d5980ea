import torch
from torch import nn


class Runner:
    def __init__(self, model, lr):
        self.model = model.cuda()
        self.opt = torch.optim.Adam(self.model.parameters(), lr)
        self.scaler = torch.amp.GradScaler("cuda")
        self.crit = nn.L1Loss()

    def train_batch(self, x, y):
        self.opt.zero_grad()
        with torch.autocast("cuda"):
            loss = self.crit(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.item()

    def run(self, loader, n):
        for e in range(n):
            print(e, sum(self.train_batch(a.cuda(), b.cuda()) for a, b in loader))
