# the chain around the network clears the gradients of all its parts

import torch
from torch import nn

body = nn.Linear(4, 2)
opt = torch.optim.SGD(body.parameters(), 0.1)
model = nn.Sequential(body, nn.Softmax(1))
for x in torch.utils.data.DataLoader(torch.randn(64, 4)):
    model.zero_grad()
    model(x)[:, 0].mean().backward()
    opt.step()
