# two optimizers step one after the other, and only one network is cleared

import torch
import torch.nn as nn
import torch.nn.functional as F
from nets import Body, Head


class Trainer:
    def __init__(self):
        self.body = Body()
        self.head = Head()
        self.opt_body = torch.optim.Adam(self.body.parameters())
        self.opt_head = torch.optim.Adam(self.head.parameters())

    def update(self, x, y):
        self.body.zero_grad()
        score, features = self.body(x)
        main = score.mean()
        extra = F.cross_entropy(self.head(features), y)
        main.backward(retain_graph=True)
        extra.backward()  #! MEM121 error
        self.opt_body.step()
        self.opt_head.step()

    def fit(self, batches):
        for x, y in batches:
            self.update(x, y)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


def train(loader):
    encoder, decoder = Encoder(), nn.Linear(8, 2)
    first = torch.optim.SGD(encoder.parameters(), lr=0.1)
    second = torch.optim.SGD(decoder.parameters(), lr=0.1)
    for x, y in loader:
        encoder.zero_grad()
        loss = F.cross_entropy(decoder(encoder(x)), y)
        loss.backward()  #! MEM121 error
        first.step()
        second.step()
