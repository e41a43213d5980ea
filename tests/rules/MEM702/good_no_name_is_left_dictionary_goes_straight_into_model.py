# no name is left: the dictionary goes straight into the model

import torch

net = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net.load_state_dict(torch.load("x.pt"))
epoch = torch.load("meta.pt")["epoch"]
for x in torch.randn(5, 2, 4):
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()
