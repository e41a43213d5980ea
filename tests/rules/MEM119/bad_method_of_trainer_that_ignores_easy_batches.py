# method of a trainer that ignores easy batches

import torch
from torch import nn


class Trainer:
    def __init__(self, model, data):
        self.model, self.data = model, data
        self.optimizer = torch.optim.Adam(model.parameters())

    def fit(self):
        for x, y in self.data:
            logits = self.model(x)
            hardness = nn.functional.cross_entropy(logits, y)
            if hardness.item() < 0.01:  #! MEM119
                continue
            self.optimizer.zero_grad()
            hardness.backward()
            self.optimizer.step()


Trainer(nn.Linear(5, 2), [(torch.randn(3, 5), torch.randint(0, 2, (3,))) for _ in range(9)]).fit()
