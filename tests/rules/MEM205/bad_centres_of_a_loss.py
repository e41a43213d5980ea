# a table of centres, one for each of many classes, that no optimizer has

import torch
from ranking.losses import EmbeddingRegularization, PairLoss
from torch import nn


class Centred(nn.Module):
    def __init__(self, decay, learnt=False):
        super().__init__()
        self.centres = nn.Parameter(torch.randn(100_000, 64))
        self.term = EmbeddingRegularization(p=2, weight_decay=decay)
        self.pairs = PairLoss(activation="softplus")

    def forward(self, users, items):
        return self.pairs(users, items) + self.term(users, items) + (users - self.centres[0]).sum()


net = nn.Embedding(1000, 64)
criterion = Centred(1e-4)  #! MEM205
optimizer = torch.optim.Adam(net.parameters())
for users, items in torch.utils.data.DataLoader([(1, 2)] * 1000, 32):
    optimizer.zero_grad()
    criterion(net(users), net(items)).backward()
    optimizer.step()
