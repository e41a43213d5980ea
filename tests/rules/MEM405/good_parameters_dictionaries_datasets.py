# first of what is no loader: parameters, dictionaries, datasets

import torch
from torch.utils.data import DataLoader, TensorDataset

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
heads = {"a": net}
for (x,) in DataLoader(TensorDataset(torch.randn(40, 4)), batch_size=4):
    device = next(iter(net.parameters())).device
    head = next(iter(heads.values()))
    opt.zero_grad()
    head(x.to(device)).mean().backward()
    opt.step()
