# a trainer class that hands its logger two numbers of every step

import torch
import wandb
from torch import nn


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda")
        self.model = nn.Linear(8, 2).to(self.device)
        self.opt = torch.optim.Adam(self.model.parameters())

    def fit(self, loader):
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            self.opt.zero_grad()
            out = self.model(x)
            loss = nn.functional.cross_entropy(out, y)
            loss.backward()
            self.opt.step()
            wandb.log({"loss": loss.item(), "best": out.max().item()})  #! MEM505 advice
