# the mean of a list of losses is kept as well: only the line where the list takes in their graphs is reported

import torch
from torch import nn

net = nn.Linear(10, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
history = []
for epoch in range(3):
    losses = []
    for x in torch.randn(50, 8, 10):
        loss = net(x).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss)  #! MEM102 warning
    history.append(torch.stack(losses).mean())
print(history[-1].item())
