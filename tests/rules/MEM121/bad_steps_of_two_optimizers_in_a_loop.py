# all optimizers step in a loop over them, but only one of them is cleared

import torch
import torch.nn.functional as F


def pair(first, second, loader):
    one, two = torch.optim.SGD(first.parameters(), 0.1), torch.optim.SGD(second.parameters(), 0.1)
    for x, y in loader:
        one.zero_grad()
        loss = F.mse_loss(second(first(x)), y)
        loss.backward()  #! MEM121
        for opt in (one, two):
            opt.step()


class Joint:
    def __init__(self, encoder, head):
        self.encoder, self.head = encoder, head
        self.a, self.b = torch.optim.Adam(encoder.parameters()), torch.optim.Adam(head.parameters())

    def fit(self, loader):
        for x, y in loader:
            self.b.zero_grad()
            F.cross_entropy(self.head(self.encoder(x)), y).backward()  #! MEM121
            for opt in [self.a, self.b]:
                opt.step()
