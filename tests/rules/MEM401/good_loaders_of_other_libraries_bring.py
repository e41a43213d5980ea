# loaders of other libraries bring their own parallelism

import torch
from ffcv.loader import Loader
from nvidia.dali.plugin.pytorch import DALIGenericIterator
from torch_geometric.loader import DataLoader

net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for loader in (Loader("train.beton"), DALIGenericIterator([], ["x"]), DataLoader([], batch_size=4)):
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
