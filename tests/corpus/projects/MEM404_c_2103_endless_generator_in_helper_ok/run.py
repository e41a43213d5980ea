import torch
from torch.utils.data import DataLoader
from helpers.forever import cycle

ds = torch.load("x.pt")
net = torch.nn.Linear(5, 5).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
stream = cycle(DataLoader(ds, batch_size=64, shuffle=True, num_workers=4))
for i in range(10000):
    opt.zero_grad()
    net(next(stream).cuda()).pow(2).mean().backward()
    opt.step()
