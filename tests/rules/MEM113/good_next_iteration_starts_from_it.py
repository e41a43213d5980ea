# the next iteration starts from it

import torch

cell = torch.nn.RNNCell(8, 8)
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
state = torch.zeros(4, 8)
for x in torch.randn(10, 4, 8):
    opt.zero_grad()
    new = cell(x, state)
    new.pow(2).mean().backward()
    opt.step()
    state = new.detach().clone()
