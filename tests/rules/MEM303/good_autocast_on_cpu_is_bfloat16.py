# autocast on the CPU is bfloat16

import torch

net = torch.nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(10, 4, 6):
    with torch.autocast("cpu"):
        loss = net(x).float().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
