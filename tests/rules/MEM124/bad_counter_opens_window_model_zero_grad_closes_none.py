# trainer class: a counter opens the window, model.zero_grad() closes none

import torch
from torch import nn


class Trainer:
    def __init__(self, model, data, k=5):
        self.model, self.data, self.k = model, data, k
        self.optimizer = torch.optim.Adam(model.parameters())
        self.pending = 0

    def train(self):
        for source, wanted in self.data:
            self.model.zero_grad()  #! MEM124 error
            loss = nn.functional.mse_loss(self.model(source), wanted)
            (loss / self.k).backward()
            self.pending += 1
            if self.pending == self.k:
                self.optimizer.step()
                self.pending = 0


Trainer(nn.Linear(6, 6), [(torch.randn(3, 6), torch.randn(3, 6)) for _ in range(20)]).train()
