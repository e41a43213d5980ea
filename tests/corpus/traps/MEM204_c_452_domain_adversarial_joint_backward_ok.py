import torch
from torch import nn


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


features, labels, domains = nn.Linear(10, 8), nn.Linear(8, 3), nn.Linear(8, 2)
opts = {
    "features": torch.optim.SGD(features.parameters(), lr=0.01),
    "labels": torch.optim.SGD(labels.parameters(), lr=0.01),
    "domains": torch.optim.SGD(domains.parameters(), lr=0.01),
}
ce = nn.CrossEntropyLoss()
for x in torch.randn(30, 6, 10):
    f = features(x)
    loss = ce(labels(f), torch.randint(0, 3, (6,))) + ce(domains(Reverse.apply(f)), torch.randint(0, 2, (6,)))
    for o in opts.values():
        o.zero_grad()
    loss.backward()
    for o in opts.values():
        o.step()
