# deleted after its last use

import torch

net = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ckpt = torch.load("x.pt")
net.load_state_dict(ckpt["net"])
del ckpt
for x in torch.randn(5, 2, 4):
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()
