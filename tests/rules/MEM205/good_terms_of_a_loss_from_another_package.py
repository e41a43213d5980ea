# a loss that is put together from terms of another package, which their names call so

import torch
from ranking.losses import EmbeddingRegularization, PairLoss
from torch import nn


class Regularized(nn.Module):
    def __init__(self, decay):
        super().__init__()
        self.term = EmbeddingRegularization(p=2, weight_decay=decay)
        self.pairs = PairLoss(activation="softplus")

    def forward(self, users, items):
        return self.pairs(users, items) + self.term(users, items)


net = nn.Embedding(1000, 64)
criterion = Regularized(1e-4)
optimizer = torch.optim.Adam(net.parameters())
for users, items in torch.utils.data.DataLoader([(1, 2)] * 1000, 32):
    optimizer.zero_grad()
    criterion(net(users), net(items)).backward()
    optimizer.step()
