# a loss may learn how much each of its terms counts: numbers, made only where that is asked for

import torch
from ranking.losses import EmbeddingRegularization, PairLoss
from torch import nn


class Weighted(nn.Module):
    def __init__(self, decay, learnt=False):
        super().__init__()
        if learnt:
            self.log_term, self.log_pairs = nn.Parameter(torch.zeros(1)), nn.Parameter(torch.tensor(0.5))
        self.term = EmbeddingRegularization(p=2, weight_decay=decay)
        self.pairs = PairLoss(activation="softplus")

    def forward(self, users, items):
        return self.pairs(users, items) + self.term(users, items)


net = nn.Embedding(1000, 64)
criterion = Weighted(1e-4)
optimizer = torch.optim.Adam(net.parameters())
for users, items in torch.utils.data.DataLoader([(1, 2)] * 1000, 32):
    optimizer.zero_grad()
    criterion(net(users), net(items)).backward()
    optimizer.step()
