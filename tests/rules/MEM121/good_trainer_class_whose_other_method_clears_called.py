# trainer class whose other method clears, called in the same loop

import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters())

    def _reset(self):
        self.opt.zero_grad(set_to_none=True)

    def step(self, x):
        loss = self.model(x).pow(2).mean()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, data):
        for x in data:
            self._reset()
            self.step(x)


Trainer(torch.nn.Linear(3, 1)).fit(torch.randn(10, 2, 3))
