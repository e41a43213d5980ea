# the data lies on the GPU already

import torch
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(100, 8).cuda()
net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (batch,) in DataLoader(TensorDataset(x), batch_size=10):
    opt.zero_grad()
    net(batch.cuda()).mean().backward()
    opt.step()
