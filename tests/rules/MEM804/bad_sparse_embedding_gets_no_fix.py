# sparse embedding gets no fix

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Embedding(1000, 64, sparse=True), nn.Linear(64, 1)).to(device)
optimizer = torch.optim.SGD(net.parameters(), 0.1, 0, 0, 1e-4)  #! MEM804 advice
for ids in loader:
    optimizer.zero_grad()
    net(ids.to(device)).mean().backward()
    optimizer.step()
