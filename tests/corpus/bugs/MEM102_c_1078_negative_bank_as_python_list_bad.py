import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Pretext(nn.Module):
    def __init__(self, enc, dim=128, tau=0.2):
        super().__init__()
        self.enc, self.tau = enc, tau
        self.negatives = []

    def forward(self, a, b):
        za, zb = F.normalize(self.enc(a), dim=1), F.normalize(self.enc(b), dim=1)
        logits = za @ zb.t() / self.tau
        if self.negatives:
            pool = torch.stack(random.sample(self.negatives, min(256, len(self.negatives)))).detach()
            logits = torch.cat([logits, za @ pool.t() / self.tau], 1)
        loss = F.cross_entropy(logits, torch.arange(len(a), device=a.device))
        self.negatives.extend(zb)  #! MEM102
        return loss


def run(loader):
    model = Pretext(nn.Sequential(nn.Flatten(), nn.Linear(3072, 128))).cuda()
    opt = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    for a, b in loader:
        loss = model(a.cuda(), b.cuda())
        opt.zero_grad()  #? MEM122
        loss.backward()
        opt.step()
