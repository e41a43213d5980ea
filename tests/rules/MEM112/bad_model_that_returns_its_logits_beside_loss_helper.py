# a model that returns its logits beside the loss; helper that the loop calls

import torch
from torch import nn


class CharModel(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.table = nn.Embedding(size, 64)
        self.out = nn.Linear(64, size)

    def forward(self, idx, targets=None):
        logits = self.out(self.table(idx))
        if targets is None:
            return logits, None
        loss = nn.functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss


def update(model, opt, x, y):
    logits, loss = model(x, y)  #! MEM112 advice
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def run():
    model = CharModel(512)
    opt = torch.optim.Adam(model.parameters())
    for it in range(50):
        x = torch.randint(0, 512, (8, 32))
        y = torch.randint(0, 512, (8, 32))
        print(it, update(model, opt, x, y))


run()
