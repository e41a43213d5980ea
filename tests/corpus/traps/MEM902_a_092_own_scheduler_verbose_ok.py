import math
import torch
from torch.optim.lr_scheduler import LambdaLR


class WarmupCosine(LambdaLR):
    def __init__(self, optimizer, warmup, total, verbose=False):
        self.talk = verbose
        super().__init__(optimizer, lambda s: min(s / warmup, 0.5 * (1 + math.cos(math.pi * s / total))))


def train(model, loader, epochs):
    opt = torch.optim.AdamW(model.parameters(), 1e-3)
    sched = WarmupCosine(opt, 100, epochs * len(loader), verbose=True)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            loss = torch.nn.functional.l1_loss(model(x), y)
            loss.backward()
            opt.step()
            sched.step()
        print(epoch, sched.get_last_lr(), loss.item())
