# a method that steps once per epoch, with a loop over batches, and one whose list each call begins

import torch


class Trainer:
    def __init__(self, model):
        self.model, self.opt, self.history = model, torch.optim.Adam(model.parameters()), []

    def epoch(self, x, y, batches):
        self.opt.zero_grad()
        loss = torch.nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.opt.step()
        for xb in batches:
            with torch.no_grad():
                self.history.append(self.model(xb).mean().item())

    def step(self, x, y):
        self.kept = []
        self.opt.zero_grad()
        loss = torch.nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        for p in self.model.parameters():
            p.grad.clamp_(-1, 1)
        self.opt.step()
        self.kept.append(loss)
