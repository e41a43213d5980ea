# the cache is cleared after every step

import torch

net = torch.nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
with torch.autocast("cuda", dtype=torch.bfloat16):
    for x in torch.randn(10, 2, 4, device="cuda"):
        loss = net(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        torch.clear_autocast_cache()
