# the step is left out where the gradients are too large; update() must run, as they were unscaled before

import torch
import torch.nn.functional as F


def train(net, optimizer, loader, limit, every):
    scaler = torch.amp.GradScaler("cuda")
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = F.mse_loss(net(x.cuda()), y.cuda()) / every
        scaler.scale(loss).backward()
        if i % every == every - 1:
            do_step = True
            if limit:
                scaler.unscale_(optimizer)
                do_step = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0) < limit
            if do_step:
                scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


class Trainer:
    def __init__(self, net, loader):
        self.net, self.loader = net.cuda(), loader
        self.optimizer = torch.optim.AdamW(net.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def fit(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = F.mse_loss(self.net(x.cuda()), y.cuda())
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            should_step = torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0).isfinite()
            if should_step:
                self.scaler.step(self.optimizer)
            self.scaler.update()
