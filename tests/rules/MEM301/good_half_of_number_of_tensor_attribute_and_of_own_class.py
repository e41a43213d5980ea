# half() of a number, of a tensor attribute, and of an own class

import torch


class Amount:
    def __init__(self, n):
        self.n = n

    def half(self):
        return Amount(self.n / 2)


budget = Amount(10).half()
model = torch.nn.Linear(4, 1)
mask = torch.ones(4).half()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(5, 2, 4):
    opt.zero_grad()
    model(x * mask.float()).mean().backward()
    opt.step()
