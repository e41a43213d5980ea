# truncated backpropagation through time: the window shares one state

import torch

cell = torch.nn.GRUCell(2, 6)
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
h, loss = torch.zeros(1, 6), 0.0
for t, x in enumerate(torch.randn(40, 1, 2)):
    h = cell(x, h)
    loss = loss + h.pow(2).mean()
    if (t + 1) % 8 == 0:
        opt.zero_grad()
        loss.backward()
        opt.step()
        h, loss = h.detach(), 0.0
