# the optimizer keeps the old parameters: this backward leaves none of its gradients, and the new ones are cleared

import torch
from torch import nn


def fit(model, loader):
    opt = torch.optim.SGD(model.parameters(), 0.1)
    model = torch.load("pretrained.pt", weights_only=False, map_location="cpu")
    for x in loader:
        model.zero_grad()
        model(x).mean().backward()
        opt.step()


model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), 0.1)
model = nn.Linear(4, 2)
for x in torch.utils.data.DataLoader(torch.randn(64, 4)):
    model(x).mean().backward()
    opt.step()
fit(nn.Linear(4, 2), torch.utils.data.DataLoader(torch.randn(64, 4)))
