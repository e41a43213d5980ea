# the optimizer was made before the network went into a chain: its gradients are added up all the same

import torch
from torch import nn

body = nn.Linear(4, 2)
opt = torch.optim.SGD(body.parameters(), 0.1)
model = nn.Sequential(body, nn.Softmax(1))
for x in torch.utils.data.DataLoader(torch.randn(64, 4)):
    model(x)[:, 0].mean().backward()  #! MEM121
    opt.step()
