# assign=True makes the tensors of the file the parameters: nothing is held twice

import torch

with torch.device("meta"):
    net = torch.nn.Linear(4, 4)
state = torch.load("x.pt", mmap=True)
net.load_state_dict(state, assign=True)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(5, 2, 4):
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()
