# only asked about, for the sake of the keys

import torch
from torch import nn


def save(model, path):
    if isinstance(model, (nn.DataParallel, nn.parallel.DistributedDataParallel)):
        model = model.module
    torch.save(model.state_dict(), path)


net = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.randn(2, 4).cuda()).sum().backward()
optimizer.step()
save(net, "net.pt")
