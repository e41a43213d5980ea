import torch
from torch.utils.data import DataLoader
from helpers.batches import infinite

ds = torch.load("x.pt")
loader = DataLoader(ds, batch_size=64, shuffle=True, num_workers=4)
net = torch.nn.Linear(5, 5).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
stream = infinite(loader)  #! MEM404
for i in range(10000):
    x = next(stream).cuda()
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()
