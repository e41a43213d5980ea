# zero_grad through a wrapper optimizer of the same project

import torch


class NoamOpt:
    def __init__(self, inner):
        self.inner = inner

    def zero_grad(self):
        self.inner.zero_grad()

    def step(self):
        self.inner.step()


model = torch.nn.Linear(4, 4)
noam = NoamOpt(torch.optim.Adam(model.parameters(), lr=0))
for i in range(100):
    loss = model(torch.randn(2, 4)).mean()
    loss.backward()
    noam.step()
    noam.zero_grad()
