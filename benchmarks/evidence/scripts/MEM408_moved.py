# claim: PEAK, expected: not_measurable (on the CPU nothing is moved)
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
rows = int(os.environ.get("ROWS", "4096"))
X = torch.rand(rows, 512).to(device)
loader = DataLoader(TensorDataset(X), batch_size=64)
net = nn.Linear(512, 8).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in loader:
    optimizer.zero_grad()
    net(x).mean().backward()
    optimizer.step()
