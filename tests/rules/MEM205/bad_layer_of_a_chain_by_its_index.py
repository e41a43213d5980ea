# only the last layer of a chain is given to the optimizer, by its index

import torch
from torch import nn

net = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)).cuda()
opt = torch.optim.Adam(net[2].parameters(), lr=1e-3)  #! MEM205 warning
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(999, 784), torch.zeros(999).long()), 32)
for x, y in loader:
    loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
