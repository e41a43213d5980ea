# three rounds of a demonstration

import torch
from torch.utils.data import DataLoader, TensorDataset

rounds = 3
loader = DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=8, shuffle=True)
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(rounds):
    (x,) = next(iter(loader))
    loss = net(x).mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(i, loss.item())
