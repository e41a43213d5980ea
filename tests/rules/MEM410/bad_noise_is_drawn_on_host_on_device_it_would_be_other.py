# noise is drawn on the host: on the device it would be other noise

import torch

net = torch.nn.Linear(16, 8).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
while True:
    opt.zero_grad()
    loss = net(torch.randn(32, 16).cuda()).square().mean()  #! MEM410 advice
    loss.backward()
    opt.step()
    if loss.item() < 0.01:
        break
