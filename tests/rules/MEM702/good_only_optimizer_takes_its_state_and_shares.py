# only the optimizer takes its state, and shares it

import torch

net = torch.nn.Linear(4, 4)
opt = torch.optim.Adam(net.parameters())
state = torch.load("opt.pt")
opt.load_state_dict(state)
for x in torch.randn(5, 2, 4):
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()
