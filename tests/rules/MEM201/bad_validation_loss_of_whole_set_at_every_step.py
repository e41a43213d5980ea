# full-batch training that only notes the validation loss

import torch
from torch import nn

x, y, x_val, y_val = (torch.randn(1000, 20) for _ in range(4))
net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 20))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
crit = nn.MSELoss()
history = []
for t in range(500):
    loss = crit(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    held_out = net(x_val)  #! MEM201 warning
    history.append(crit(held_out, y_val).item())
