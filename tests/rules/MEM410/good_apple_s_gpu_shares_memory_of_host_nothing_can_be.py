# Apple's GPU shares the memory of the host: nothing can be pinned

import torch
from torch.utils.data import DataLoader

device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
net = torch.nn.Linear(8, 1).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(100, 8), batch_size=10):
    opt.zero_grad()
    net(x.to(device)).mean().backward()
    opt.step()
