# autocast is switched off

import torch

net = torch.nn.Linear(6, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(10, 4, 6, device="cuda"):
    with torch.autocast("cuda", enabled=False):
        loss = net(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
