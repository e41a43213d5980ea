# one region per iteration, around forward and loss

import torch

net = torch.nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(10, 2, 4, device="cuda"):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = net(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
