import torch
import apex.amp as amp
from torch import nn


class Runner:
    def __init__(self, model, lr):
        self.model = model.cuda()
        self.opt = torch.optim.Adam(self.model.parameters(), lr)
        self.model, self.opt = amp.initialize(self.model, self.opt, opt_level="O1")  #? MEM901
        self.crit = nn.L1Loss()

    def train_batch(self, x, y):
        self.opt.zero_grad()
        loss = self.crit(self.model(x), y)
        amp.scale_loss(loss, self.opt).backward()  #! MEM901
        self.opt.step()
        return loss.item()

    def run(self, loader, n):
        for e in range(n):
            print(e, sum(self.train_batch(a.cuda(), b.cuda()) for a, b in loader))
