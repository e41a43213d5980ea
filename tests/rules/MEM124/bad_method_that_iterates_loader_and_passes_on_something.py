# method that iterates the loader and passes on something else

import torch
from torch import nn
from torch.utils.data import DataLoader


class Fitter:
    def __init__(self, dataset):
        self.train_loader = DataLoader(dataset, batch_size=4)
        self.model = nn.Linear(9, 2)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, sample, label):
        for batch, labels in self.train_loader:
            inputs = sample.float()
            scores = self.model(inputs)  #! MEM124 warning
            loss = nn.functional.cross_entropy(scores, label)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


pairs = [(torch.randn(9), 1) for _ in range(40)]
Fitter(pairs).fit(torch.randn(4, 9), torch.ones(4, dtype=torch.long))
